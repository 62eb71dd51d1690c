// @module-tag not-about-engine

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true, transition: true } as const

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(),
    lead: f.textarea().localized(),
    body: f.richText({ nodes: ["paragraph", "hardBreak", "image"], marks: ["bold"] }).localized(),
    notes: f.text().hidden(),
    section: f.select(["world_news", "sport"]),
    labels: f.select(["new", "hot"]).multiple(),
    words: f.array(f.text()).localized(),
    views: f.number().integer(),
  }))
  .title("title")
  .searchable({ fields: ["lead", "body", "notes", "section", "labels", "words"] })
  .options({ workflow: true, versions: true })
  .access({ ...open, drafts: true })

const cities = collection("cities")
  .fields(({ f }) => ({ name: f.text(), people: f.number().integer() }))
  .title("name")
  .searchable({})
  .access(open)

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text(), site: f.text() }))
  .searchable({ title: "title", content: ({ site }: { site: string | null }) => site, weights: { content: 1 } })
  .options({ workflow: true })
  .access(open)

let world: TestApp
beforeAll(async () => {
  world = await testApp({
    resources: [articles, cities, pages],
    config: { locales: { default: "en", all: ["en", "de", "sk"] } },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const on = (name: string) => world.client().collections[name]

/** The stems of a record's text with their places and labels, without the words as they are spelled. */
const vectorOf = async (table: string, id: string, column = "_search") => {
  const stems = `ts_filter("${column}", '{a,b,c,d}')::text`
  const [row] = await world.database.query(`select ${stems} as vector from "${table}" where id = '${id}'`)
  return String(row?.["vector"])
}

const finds = async (table: string, query: string, column = "_search", configuration = "_kit_english") => {
  const where = `"${column}" @@ to_tsquery('${configuration}', '${query}')`
  const [row] = await world.database.query(`select count(*)::int as count from "${table}" where ${where}`)
  return Number(row?.["count"])
}

/** The number of records that have been appended to the queue. A worker may have removed some of them meanwhile. */
const appendedTo = async ({ database }: TestApp) => {
  const [row] = await database.query(
    "select case when is_called then last_value else 0 end::int as appended from _kit_search_queue_id_seq",
  )
  return Number(row?.["appended"])
}

const documentOf = (...paragraphs: readonly (readonly unknown[])[]) => ({
  type: "doc",
  content: paragraphs.map((content) => ({ type: "paragraph", content })),
})
const text = (words: string) => ({ type: "text", text: words })
const bold = (words: string) => ({ ...text(words), marks: [{ type: "bold" }] })

describe("the index of a record", () => {
  test("has the words of all fields with their weights, folded and reduced to stems", async () => {
    const { id } = await on("cities").create({ name: "The Bridges of Königsberg" })

    expect(await vectorOf("cities", id)).toBe("'bridg':2A 'konigsberg':4A")
  })

  test("has the words as they are spelled, too", async () => {
    await on("cities").create({ name: "The Bridges of Köln" })

    expect(await finds("cities", "bridges & koln & the", "_search", "_kit_simple")).toBe(1)
  })

  test("has the text in each locale with its fallbacks, in the language of the locale", async () => {
    const { id } = await on("articles").create({ title: "Title", lead: "running houses", words: ["red", "green"] })
    await on("articles").update({ id, data: { lead: "die Häuser" } }, { locale: "de" })

    expect(await vectorOf("articles", id, "_search_en")).toBe("'green':133B 'hous':67B 'red':132B 'run':66B 'titl':1A")
    expect(await vectorOf("articles", id, "_search_de")).toBe("'green':133B 'haus':67B 'red':132B 'titl':1A")
    expect(await vectorOf("articles", id, "_search_sk")).toBe(
      "'green':133B 'houses':67B 'red':132B 'running':66B 'title':1A",
    )
  })

  test("has the text of a document: parts of words together, paragraphs and breaks apart", async () => {
    const body = documentOf(
      [text("foot"), bold("ball"), { type: "hardBreak" }, text("goal")],
      [{ type: "image", attrs: { type: "text", text: "attribute" } }],
      [text("last")],
    )
    const { id } = await on("articles").create({ body })

    expect(await vectorOf("articles", id, "_search_sk")).toBe("'football':1B 'goal':2B 'last':3B")
  })

  test("has the options of selects, and hidden fields", async () => {
    const { id } = await on("articles").create({ section: "world_news", labels: ["hot", "new"] })
    await world.database.query(`update articles set notes = 'secretly' where id = '${id}'`)

    expect(await vectorOf("articles", id, "_search_sk")).toBe(
      "'hot':132B 'new':133B 'news':67B 'secretly':1B 'world':66B",
    )
  })

  test("has no phrase that crosses two fields", async () => {
    await on("articles").create({ title: "north pole", lead: "expedition starts" })

    expect(await finds("articles", "north <-> pole", "_search_en")).toBe(1)
    expect(await finds("articles", "pole & expedition", "_search_en")).toBe(1)
    expect(await finds("articles", "pole <-> expedition", "_search_en")).toBe(0)
  })

  test("follows every write", async () => {
    const { id } = await on("cities").create({ name: "Rome", people: 1 })

    await on("cities").update({ id, data: { name: "Paris" } })
    expect(await vectorOf("cities", id)).toBe("'pari':1A")

    await on("cities").update({ id, data: { name: null } })
    expect(await vectorOf("cities", id)).toBe("")
  })

  test("leaves nothing to the worker in an app without an embedder or a search engine", async () => {
    await on("cities").create({ name: "Vienna" })

    expect(await appendedTo(world)).toBe(0)
  })

  test("is made again, without a change of the record, by writing a searched column as it is", async () => {
    const { id, updatedAt } = await on("cities").create({ name: "Oslo" })
    await world.database.query(`update cities set _search = null where id = '${id}'`)

    await world.database.query(`update cities set name = name where id = '${id}'`)

    expect(await vectorOf("cities", id)).toBe("'oslo':1A")
    expect(await on("cities").findOne({ where: { id } })).toMatchObject({ updatedAt })
  })

  test("is part of the copy in a stage, with the author's own text", async () => {
    const { id } = await on("pages").create({ title: "Home", site: "welcome" })
    await on("pages").transitionStage({ id, stage: "published" })
    await on("pages").update({ id, data: { title: "Start", site: "goodbye" } })

    expect(await vectorOf("pages", id, "_search_en")).toBe("'goodby':66B 'start':1A")
    expect(await vectorOf("pages.stage.published", id, "_search_en")).toBe("'home':1A 'welcom':66B")
    expect(await vectorOf("pages.stage.published", id, "_search_de")).toBe("'hom':1A 'welcom':66B")
  })

  test("is in no answer, no version and no change", async () => {
    const { id } = await on("articles").create({ title: "quiet" })
    await on("articles").update({ id, data: { title: "quieter" } })
    await on("articles").transitionStage({ id, stage: "published" })

    const answers = [
      await on("articles").findOne({ where: { id } }),
      await on("articles").findOne({ where: { id }, stage: "published" }),
      await on("articles").findVersions({ id }),
      await world.database.query("select to_jsonb(_kit_versions) from _kit_versions"),
      await world.database.query("select to_jsonb(_kit_changes) from _kit_changes"),
    ]

    expect(JSON.stringify(answers)).toContain("quieter")
    expect(JSON.stringify(answers)).not.toContain("_search")
  })

  test("has no keys for embeddings in an app without an embedder", async () => {
    const rows = await world.database.query(
      "select attname::text as name from pg_attribute where attrelid = 'articles'::regclass and attname like '\\_search%'",
    )

    expect(rows.map((row) => row["name"]).sort()).toEqual(["_search_de", "_search_en", "_search_sk"])
  })
})

const embedder = { model: "none", dimensions: 2, embed: () => Promise.reject(new Error("not used")) }

test("in an app with an embedder, only records whose embedded text has changed are queued", async () => {
  await using app = await testApp({ resources: [cities], config: { search: { embedder } } })
  const records: any = app.client().collections["cities"]
  const { id } = await records.create({ name: "Rome", people: 1 })
  const before = await appendedTo(app)

  await records.update({ id, data: { people: 2 } })
  await records.update({ id, data: { name: "Rome" } })
  expect([before, await appendedTo(app)]).toEqual([1, before])

  await records.update({ id, data: { name: "Paris" } })
  await records.create({ name: null })
  expect(await appendedTo(app)).toBe(before + 2)
})

test("an app with an embedder has a key of each text of a record, which leaves out fields with a rule", async () => {
  const notes = collection("notes")
    .fields(({ f }) => ({ title: f.text(), body: f.text(), secret: f.text().access({ read: () => true }) }))
    .title("title")
    .searchable({ fields: ["body", "secret"] })
    .access(open)
  await using app = await testApp({ resources: [notes], config: { search: { embedder } } })
  const create = (data: object) => app.client().collections["notes"]?.create(data)

  for (const data of [{ title: "a", body: "b" }, { title: "a", body: "b", secret: "c" }, { title: "a" }, {}])
    await create(data)

  const keyOf = (text: string) => `md5(id::text || E'\\n' || ${text})::uuid = _search_key`
  const rows = await app.database.query(
    `select _search_key::text as key, ${keyOf("E'a\\n\\nb'")} as both, ${keyOf("'a'")} as title from notes order by "createdAt", id`,
  )
  const [first, second, third, fourth] = rows.map((row) => row["key"])
  expect(rows.map(({ both, title }) => [both, title])).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [null, null],
  ])
  expect(new Set([first, second, third]).size).toBe(3)
  expect(fourth).toBeNull()
})
