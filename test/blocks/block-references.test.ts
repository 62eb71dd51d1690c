import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const LOCALES = { default: "en", all: ["en", "sk"] } as const
const editor: Session = { user: { id: "ed", role: "admin" } }
const guest: Session = { user: { id: "guest" } }

const isEditor = ({ session }: { session: Session | null }) => session?.user["role"] === "admin"
const everyone = { read: true, create: true, update: true, delete: true, purge: true, drafts: true } as const

const pictures = collection("pictures")
  .fields(({ f }) => ({ alt: f.text(), secret: f.boolean().default(false) }))
  .access({ ...everyone, read: (context) => isEditor(context) || { secret: { ne: true } } })

const codes = collection("codes")
  .fields(({ f }) => ({ label: f.text() }))
  .access(everyone)
  .options({ id: "client" })

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    body: f.blocks({
      hero: { picture: f.relation("pictures").required(), code: f.relation("codes") },
      gallery: {
        items: f.array(f.object({ picture: f.relation("pictures").onDelete("setNull"), alt: f.text() })),
        pages: f.array(f.relation("pages").onDelete("setNull")),
      },
      columns: { left: f.blocks({ figure: { picture: f.relation("pictures").onDelete("setNull") } }) },
      text: { text: f.text() },
    }),
    seo: f.object({ picture: f.relation("pictures").onDelete("setNull"), title: f.text() }),
    words: f
      .blocks({ figure: { picture: f.relation("pictures").onDelete("setNull") }, text: { text: f.text() } })
      .localized(),
  }))
  .options({
    versions: true,
    revision: true,
    workflow: { stages: { draft: {}, shown: {} }, public: "shown" },
  })
  .access(everyone)

let app: TestApp
let picture: string
let secret: string

beforeAll(async () => {
  app = await testApp({ resources: [pictures, codes, pages], config: { locales: LOCALES } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  picture = await addPicture("seen")
  secret = await addPicture("hidden", true)
})

async function addPicture(alt: string, isSecret = false): Promise<string> {
  return (await app.client(editor).collections["pictures"].create({ alt, secret: isSecret })).id
}

const as = (session: Session) => app.client(session).collections["pages"]
const remove = (id: string) => app.client(editor).collections["pictures"].deleteById({ id })
const missing = (...paths: string[]) => paths.map((path) => ({ path, message: "There is no such record." }))

async function references(id: string): Promise<unknown[][]> {
  const columns = `"table", field, target_table, target`
  const rows = await app.database.query(
    `select ${columns} from "_kit_references" where record = $1 order by 1, 2, 3, 4`,
    [id],
  )
  return rows.map((row) => Object.values(row))
}

describe("a part that refers to a record", () => {
  test("takes an id, and gives it back", async () => {
    const code = await app.client(editor).collections["codes"].create({ id: "c-1", label: "One" })
    const body = [
      { type: "hero", id: "h", picture, code: code.id },
      { type: "gallery", id: "g", items: [{ picture, alt: "a" }], pages: [] },
      { type: "columns", id: "c", left: [{ type: "figure", id: "f", picture }] },
    ]

    const created = await as(editor).create({ body, seo: { picture, title: null } })

    expect(created).toMatchObject({ body, seo: { picture, title: null } })
    expect(await as(editor).findOne({ where: { id: created.id } })).toMatchObject({ body })
    expect((await references(created.id)).map(([table, field, target]) => [table, field, target])).toEqual([
      ["pages", "body", "codes"],
      ["pages", "body", "pictures"],
      ["pages", "body", "pictures"],
      ["pages", "body", "pictures"],
      ["pages", "seo", "pictures"],
    ])
  })

  test("refuses what is no id, or no record, with the path of each", async () => {
    const gone = picture.replace(/^......../, "00000000")

    const malformed = as(editor).create({ body: [{ type: "hero", picture: { create: { alt: "x" } } }] })
    await expect(malformed).rejects.toMatchObject({
      fieldErrors: [{ path: "body.0.picture", message: "Expected the id of a record." }],
    })

    const absent = as(editor).create({
      body: [
        { type: "hero", picture: gone, code: "no-such-code" },
        { type: "gallery", items: [{ picture: gone }], pages: [gone] },
      ],
    })

    await expect(absent).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      fieldErrors: expect.arrayContaining(
        missing("body.0.picture", "body.0.code", "body.1.items.0.picture", "body.1.pages.0"),
      ),
    })
  })

  test("treats a record that the caller may not read like one that is missing", async () => {
    const refused = as(guest).create({ body: [{ type: "hero", picture: secret }] })

    await expect(refused).rejects.toMatchObject({ fieldErrors: missing("body.0.picture") })
  })

  test("keeps such an id when the list is written again, in any item, but takes no other", async () => {
    const { id, body } = await as(editor).create({ body: [{ type: "hero", id: "h", picture: secret }] })
    const another = await addPicture("also hidden", true)

    const moved = await as(guest).updateById({ id, data: { body: [{ type: "text", text: "new" }, ...body] } })
    const refused = as(guest).updateById({ id, data: { body: [...body, { type: "hero", picture: another }] } })

    expect(moved.body[1]).toMatchObject({ id: "h", picture: secret })
    await expect(refused).rejects.toMatchObject({ fieldErrors: missing("body.1.picture") })
  })

  test("is checked for each record of a bulk write", async () => {
    const [one, two] = [await as(editor).create({ title: "one" }), await as(editor).create({ title: "two" })]
    const data = { body: [{ type: "hero", picture: secret }] }
    await as(editor).updateById({ id: one.id, data })

    const kept = await as(guest).updateMany({ where: { id: one.id }, data })
    const refused = as(guest).updateMany({ where: { id: { in: [one.id, two.id] } }, data })
    await expect(refused).rejects.toMatchObject({ fieldErrors: missing("body.0.picture") })
    const batch = as(guest).updateBatch({
      updates: [
        { id: one.id, data },
        { id: two.id, data },
      ],
    })
    await expect(batch).rejects.toMatchObject({ fieldErrors: missing("updates.1.data.body.0.picture") })

    expect(kept).toHaveLength(1)
  })

  test("follows writes by any statement, and forgets a record with it", async () => {
    const { id } = await as(editor).create({ body: [{ type: "hero", picture }] })
    const write = (body: unknown) =>
      app.database.query("update pages set body = $2 where id = $1", [id, JSON.stringify(body)])

    await write([
      { type: "hero", id: "a", picture: secret },
      { type: "hero", id: "b", picture: 7 },
    ])
    const followed = await references(id)
    const refused = write([{ type: "hero", id: "a", picture: id }])
    await expect(refused).rejects.toMatchObject({ code: "23503" })
    await as(editor).deleteById({ id })

    expect(followed).toEqual([["pages", "body", "pictures", secret]])
    expect(await references(id)).toEqual([])
  })
})

describe("deleting a record to which parts refer", () => {
  test("is refused where the part restricts it, with the relation", async () => {
    await as(editor).create({ body: [{ type: "hero", picture }] })

    await expect(remove(picture)).rejects.toMatchObject({
      code: "CONFLICT",
      context: { relation: { collection: "pages", field: "body" } },
    })
  })

  test("empties the other parts as an ordinary update, and leaves it out of lists of ids", async () => {
    const other = await as(editor).create({ title: "other" })
    const { id } = await as(editor).create({
      body: [
        {
          type: "gallery",
          id: "g",
          items: [
            { picture, alt: "a" },
            { picture: secret, alt: "b" },
          ],
          pages: [other.id],
        },
        { type: "columns", id: "c", left: [{ type: "figure", id: "f", picture }] },
      ],
      seo: { picture, title: "t" },
    })

    await remove(picture)
    await as(editor).deleteById({ id: other.id })

    expect(await as(editor).findOne({ where: { id } })).toMatchObject({
      revision: 4,
      body: [
        {
          type: "gallery",
          id: "g",
          items: [
            { picture: null, alt: "a" },
            { picture: secret, alt: "b" },
          ],
          pages: [],
        },
        { type: "columns", id: "c", left: [{ type: "figure", id: "f", picture: null }] },
      ],
      seo: { picture: null, title: "t" },
    })
    expect(await references(id)).toEqual([["pages", "body", "pictures", secret]])
  })

  test("empties the parts in every locale", async () => {
    const figure = { type: "figure", id: "f", picture }
    const { id } = await as(editor).create({ words: [figure, { type: "text", id: "t", text: "en" }] })
    await as(editor).updateById(
      { id, data: { words: [figure, { type: "text", id: "t", text: "sk" }] } },
      { locale: "sk" },
    )

    await remove(picture)

    const { words } = await as(editor).findOne({ where: { id }, locale: "*" })
    expect(words).toEqual({
      en: [
        { ...figure, picture: null },
        { type: "text", id: "t", text: "en" },
      ],
      sk: [
        { ...figure, picture: null },
        { type: "text", id: "t", text: "sk" },
      ],
    })
  })

  test("runs the hooks of the record that stays, in the locale of the value", async () => {
    const heard: unknown[] = []
    const cards = collection("cards")
      .fields(({ f }) => ({
        words: f.blocks({ figure: { picture: f.relation("pictures").onDelete("setNull") } }).localized(),
      }))
      .access(everyone)
      .hooks({ afterChange: ({ operation, data, locale }: any) => void heard.push([operation, locale, data.words]) })
    await using hooked = await testApp({ resources: [pictures, cards], config: { locales: LOCALES } })
    const [system, words] = [hooked.app.system.collections, [{ type: "figure", id: "f", picture: "" }]]
    const target = String((await system["pictures"]?.create({ alt: "a" }))?.["id"])
    const withTarget = words.map((item) => ({ ...item, picture: target }))
    const { id } = await hooked.client(editor).collections["cards"].create({ words: withTarget }, { locale: "sk" })

    await hooked.client(editor).collections["pictures"].deleteById({ id: target })

    expect(heard).toEqual([
      ["create", "sk", withTarget],
      ["update", "sk", [{ type: "figure", id: "f", picture: null }]],
    ])
    expect(await system["cards"]?.findOne({ where: { id }, locale: "sk" })).toMatchObject({
      words: [{ picture: null }],
    })
  })

  test("is refused if a hook puts the reference back", async () => {
    const notes = collection("notes")
      .fields(({ f }) => ({ body: f.blocks({ figure: { picture: f.relation("pictures").onDelete("setNull") } }) }))
      .access(everyone)
      .hooks({ beforeChange: ({ data, original }: any) => ({ ...data, body: original?.body ?? data.body }) })
    await using hooked = await testApp({ resources: [pictures, notes] })
    const target = String((await hooked.app.system.collections["pictures"]?.create({ alt: "a" }))?.["id"])
    const body = [{ type: "figure", id: "f", picture: target }]
    const { id } = await hooked.client(editor).collections["notes"].create({ body })

    const removed = hooked.client(editor).collections["pictures"].deleteById({ id: target })

    await expect(removed).rejects.toMatchObject({ fieldErrors: missing("body.0.picture") })
    expect(await hooked.client(editor).collections["notes"].findOne({ where: { id } })).toMatchObject({ body })
  })

  test("conceals from whoever may not see the field that it has changed", async () => {
    const notes = collection("notes")
      .fields(({ f }) => ({
        text: f.text(),
        body: f.blocks({ figure: { picture: f.relation("pictures").onDelete("setNull") } }).access({ read: isEditor }),
      }))
      .options({ revision: true, versions: true })
      .access(everyone)
    await using own = await testApp({ resources: [pictures, notes] })
    const target = String((await own.app.system.collections["pictures"]?.create({ alt: "a" }))?.["id"])
    const body = [{ type: "figure", id: "f", picture: target }]
    const { id } = await own.client(editor).collections["notes"].create({ text: "x", body })
    const before = await own.client(guest).collections["notes"].findOne({ where: { id } })

    await own.client(guest).collections["pictures"].deleteById({ id: target })

    expect(await own.client(guest).collections["notes"].findOne({ where: { id } })).toEqual(before)
    const versions = await own.client(editor).collections["notes"].findVersions({ id })
    expect(versions).toMatchObject([{ body: [{ picture: null }] }])
  })

  test("heeds the copies of stages", async () => {
    const { id } = await as(editor).create({ body: [{ type: "hero", picture }], seo: { picture: secret } })
    await as(editor).transitionStage({ id, stage: "shown" })
    await as(editor).updateById({ id, data: { body: [], seo: null } })

    const refused = remove(picture)
    await expect(refused).rejects.toMatchObject({ code: "CONFLICT" })
    await remove(secret)

    expect(await as(editor).findOne({ where: { id }, stage: "shown" })).toMatchObject({ seo: { picture: null } })
    await as(editor).transitionStage({ id, stage: "draft" })
    expect(await remove(picture)).toMatchObject({ success: true })
  })

  test("of records that are removed together needs no order", async () => {
    const one = await as(editor).create({ title: "together" })
    await as(editor).create({ title: "together", body: [{ type: "gallery", items: [], pages: [one.id] }] })

    const removed = await as(editor).deleteMany({ where: { title: "together" } })

    expect(removed).toMatchObject({ count: 2 })
  })

  test("and writing a new reference at the same time leaves no reference to nothing", async () => {
    const targets = await Promise.all(Array.from({ length: 20 }, (_, index) => addPicture(`race ${index}`)))
    const outcomes = await Promise.allSettled(
      targets.flatMap((id) => [
        as(editor).create({ title: "race", body: [{ type: "hero", picture: id }] }),
        remove(id),
      ]),
    )

    const dangling = await app.database.query(`select from "_kit_references" r where target_table = 'pictures'
        and not exists (select from pictures p where p.id::text = r.target)`)
    expect(dangling).toEqual([])
    for (const [index] of targets.entries()) {
      const pair = [outcomes[index * 2], outcomes[index * 2 + 1]].map((outcome) => outcome?.status)
      expect(pair.sort()).toEqual(["fulfilled", "rejected"])
    }
  })
})

test("a version that refers to a record that is gone is refused with its field", async () => {
  const { id } = await as(editor).create({ body: [{ type: "hero", picture }] })
  await as(editor).updateById({ id, data: { body: [] } })
  await remove(picture)

  const reverted = as(editor).revertToVersion({ id, version: 1 })

  await expect(reverted).rejects.toMatchObject({ fieldErrors: missing("body.0.picture") })
})

test("a dry run checks the records and stores no reference", async () => {
  const { id } = await as(editor).create({ body: [] })

  const refused = as(guest).updateById({ id, data: { body: [{ type: "hero", picture: secret }] } }, { dryRun: true })
  await expect(refused).rejects.toMatchObject({ fieldErrors: missing("body.0.picture") })
  await as(editor).updateById({ id, data: { body: [{ type: "hero", picture }] } }, { dryRun: true })

  expect(await references(id)).toEqual([])
})
