// @module-tag not-about-engine

import { collection, type SearchAdapter, type Session } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { wordEngine } from "./word-engine.ts"

const eva: Session = { user: { id: "eva" } }

const reports = collection("reports")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    body: f.richText(),
    notes: f.text().access({ read: ({ session }) => session?.user.id === "eva" }),
    memo: f.text().access({ read: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
    keywords: f.text().hidden(),
    owner: f.text(),
    section: f.select(["city", "sport"]),
    isPublic: f.boolean().required().default(true),
  }))
  .title("title")
  .options({ softDelete: true, workflow: true })
  .searchable({
    fields: ["body", "notes", "memo", "keywords"],
    content: ({ owner }: { owner: string | null }) => owner,
    facets: ["section"],
  })
  .access({
    read: ({ session }) => session !== null || { isPublic: true },
    create: true,
    update: true,
    delete: true,
    transition: true,
  })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .searchable({})
  .access({ read: true, create: true, update: true, delete: true })

const locales = { default: "en", all: ["en", "sk"] }
const ENGINES: readonly (readonly [string, () => SearchAdapter | undefined])[] = [
  ["the built-in index", () => undefined],
  ["an adapter", () => wordEngine()],
]

describe.each(ENGINES)("search by %s", (_, engine) => {
  let app: TestApp
  let records: Record<string, any>
  const search = (body: object, session?: Session) => searchIn(app, body, session)
  const found = async (body: object, session?: Session) => titles(await search(body, session))

  beforeAll(async () => {
    const adapter = engine()
    app = await testApp({
      collections: [reports, people],
      config: { locales, search: { ...(adapter && { adapter }) } },
    })
    records = app.system.collections
  })

  afterAll(() => app.stop())

  const create = async (data: object): Promise<{ readonly id: string }> => {
    const record = await records["reports"].create(data)
    await app.jobs.settle()
    return record
  }

  test("finds a record by the words of its fields after a write", async () => {
    const body = {
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "text", text: "erupting Volcano" }] }],
    }
    await create({ title: "Written record", body, keywords: "geology", owner: "lavaland" })

    expect(await found({ query: "written" })).toEqual(["Written record"])
    expect(await found({ query: "volcano" })).toEqual(["Written record"])
    expect(await found({ query: "geology" })).toEqual(["Written record"])
    expect(await found({ query: "lavaland" })).toEqual(["Written record"])
    expect(await found({ query: "unwritten" })).toEqual([])
  })

  test("finds the new text after an update, and not the old one", async () => {
    const { id } = await create({ title: "Oldword" })
    await records["reports"].updateById({ id, data: { title: "Newword" } })
    await app.jobs.settle()

    expect(await found({ query: "oldword" })).toEqual([])
    expect(await found({ query: "newword" })).toEqual(["Newword"])
  })

  test("finds no deleted record, and finds it again after it is restored", async () => {
    const { id } = await create({ title: "Disappearing" })
    await records["reports"].deleteById({ id })
    await app.jobs.settle()
    const deleted = await found({ query: "disappearing" })
    await records["reports"].restoreById({ id })
    await app.jobs.settle()

    expect(deleted).toEqual([])
    expect(await found({ query: "disappearing" })).toEqual(["Disappearing"])
  })

  test("finds no record that is deleted for good", async () => {
    const { id } = await records["people"].create({ name: "Ephemeral" })
    await app.jobs.settle()
    const before = await search({ query: "ephemeral" })
    await records["people"].deleteById({ id })
    await app.jobs.settle()

    expect(before.total).toBe(1)
    expect((await search({ query: "ephemeral" })).total).toBe(0)
  })

  test("keeps locales apart, with the fallback where a text has no translation", async () => {
    const { id } = await create({ title: "Englishword" })
    const untranslated = await search({ query: "englishword", locale: "sk" })
    const withoutFallback = await search({ query: "englishword", locale: "sk", localeFallback: false })
    await records["reports"].updateById({ id, data: { title: "Slovenskeslovo" } }, { locale: "sk" })
    await app.jobs.settle()

    expect([untranslated.total, withoutFallback.total]).toEqual([1, 0])
    expect((await search({ query: "slovenskeslovo" })).total).toBe(0)
    expect((await search({ query: "slovenskeslovo", locale: "sk" })).total).toBe(1)
    expect((await search({ query: "englishword", locale: "sk" })).total).toBe(0)
  })

  test("keeps the copies in a stage apart from the working copies", async () => {
    const { id } = await create({ title: "Publishedword" })
    await records["reports"].transitionStage({ id, stage: "published" })
    await records["reports"].updateById({ id, data: { title: "Draftword" } })
    await app.jobs.settle()
    const staged = { stage: "published", collections: ["reports"] }

    expect(await found({ query: "publishedword" }, eva)).toEqual([])
    expect(await found({ query: "publishedword", ...staged }, eva)).toEqual(["Publishedword"])
    expect(await found({ query: "draftword", ...staged }, eva)).toEqual([])
    expect(await found({ query: "draftword" }, eva)).toEqual(["Draftword"])
  })

  test("finds, counts and marks only what the caller may read", async () => {
    await create({ title: "Shared budget", section: "city", notes: "hushhush" })
    await create({ title: "Secret budget", section: "sport", isPublic: false })
    const body = { query: "budget", facets: [{ field: "section" }], highlights: true }
    const [open, all] = [await search(body), await search(body, eva)]

    expect([titles(open), open.total]).toEqual([["Shared budget"], 1])
    expect(open.facets).toEqual({ section: [{ value: "city", count: 1 }] })
    expect(open.docs[0]._search.highlights).toEqual({ title: ["Shared <mark>budget</mark>"] })
    expect([titles(all).sort(), all.total]).toEqual([["Secret budget", "Shared budget"], 2])
    expect(await found({ query: "hushhush" })).toEqual([])
    expect(await found({ query: "hushhush" }, eva)).toEqual(["Shared budget"])
  })

  test("filters and pages", async () => {
    for (const section of ["city", "city", "sport"]) await create({ title: "Pagedword", section })
    const where = { reports: { section: "city" } }
    const page = await search({ query: "pagedword", collections: ["reports"], where, limit: 1, offset: 1 })

    expect([page.docs.length, page.total]).toEqual([1, 2])
  })

  test("finds records of several collections", async () => {
    await create({ title: "Sharedname" })
    await records["people"].create({ name: "Sharedname" })
    await app.jobs.settle()
    const all = await search({ query: "sharedname", highlights: true })

    expect(all.docs.map((doc: any) => doc._collection).sort()).toEqual(["people", "reports"])
    expect(all.docs.map((doc: any) => Object.values(doc._search.highlights))).toEqual([
      [["<mark>Sharedname</mark>"]],
      [["<mark>Sharedname</mark>"]],
    ])
  })

  test("keeps equal ids in two collections apart", async () => {
    const { id } = await create({ title: "Firstofpair" })
    await app.query(
      `insert into people (id, name, "createdAt", "updatedAt") values ($1, 'Secondofpair', now(), now())`,
      [id],
    )
    await app.jobs.settle()

    expect((await search({ query: "firstofpair" })).docs.map((doc: any) => doc._collection)).toEqual(["reports"])
    expect((await search({ query: "secondofpair" })).docs.map((doc: any) => doc._collection)).toEqual(["people"])
  })

  test.each(['"', "'", "\\", "-", "OR", "' or 1=1 --", "a:* & !b", "{}", "\u{1F389}", "x".repeat(500)])(
    "survives the query %j",
    async (query) => {
      await expect(search({ query })).resolves.toMatchObject({ docs: expect.any(Array) })
    },
  )

  test("finds all records again after a reindex", async () => {
    await create({ title: "Reindexedword" })
    const response = await app.fetch("/search/reindex/reports?wait=true", { method: "POST", as: eva })
    await app.jobs.settle()

    expect(response.status).toBe(200)
    expect(await found({ query: "reindexedword" })).toEqual(["Reindexedword"])
  })
})

async function searchIn(app: TestApp, body: object, session?: Session): Promise<any> {
  const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  const response = await app.fetch("/search", { ...init, ...(session && { as: session }) })
  expect(response.status).toBe(200)
  return response.json()
}

function titles({ docs }: any): string[] {
  return docs.map(({ title, name }: any) => title ?? name)
}
