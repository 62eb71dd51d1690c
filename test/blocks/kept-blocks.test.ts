import { type Collection, collection, type Session } from "kit"
import { expect, onTestFinished, test, vi } from "vitest"
import { createTestDatabase } from "../support/test-database.ts"
import { testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true, purge: true, drafts: true } as const
const LOCALES = { default: "en", all: ["en", "sk"] } as const
const editor: Session = { user: { id: "ed", role: "admin" } }

const note = (text: string, id: string) => ({ type: "note", id, text, at: new Date(5) })
const STAGES = { draft: {}, shown: {} }

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.blocks({ note: { text: f.text().required(), at: f.datetime() }, rule: {} }),
    words: f
      .blocks({ note: { text: f.text().required(), at: f.datetime() } })
      .required()
      .localized(),
  }))
  .options({ versions: true, revision: true, softDelete: true, workflow: { stages: STAGES, public: "shown" } })
  .access(everyone)

test("versions have the items as they were, and a revert brings them back with their ids", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES } })
  const own = app.client(editor).collections["pages"]
  const { id } = await own.create({ title: "x", body: [note("one", "a"), { type: "rule", id: "r" }], words: [] })
  await own.updateById({ id, data: { body: [{ type: "rule", id: "s" }], words: [note("two", "b")] } })

  const versions = await own.findVersions({ id })
  const reverted = await own.revertToVersion({ id, version: 1 })

  expect(versions.map(({ body, words }: any) => ({ body, words }))).toEqual([
    { body: [{ type: "rule", id: "s" }], words: [note("two", "b")] },
    { body: [note("one", "a"), { type: "rule", id: "r" }], words: [] },
  ])
  expect(reverted).toMatchObject({ body: [note("one", "a"), { type: "rule", id: "r" }], words: [] })
})

test("the copy of a stage keeps its items until the next transition", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES } })
  const own = app.client(editor).collections["pages"]
  const { id } = await own.create({ title: "x", body: [note("one", "a")], words: [note("w", "w")] })
  await own.transitionStage({ id, stage: "shown" })
  await own.updateById({ id, data: { body: [note("two", "a"), { type: "rule" }] } })
  const where = { id, body: { some: { type: "note", text: "one" } } }

  const shown = await own.findOne({ where, stage: "shown" })
  const draft = await own.findOne({ where, stage: "draft" })

  expect(shown.body).toEqual([note("one", "a")])
  expect(draft).toBeNull()
})

test("a localized list has items of its own in each locale, and filters follow the locale", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES } })
  const own = app.client(editor).collections["pages"]
  const { id } = await own.create({ title: "x", words: [note("Bread", "a")] })
  await own.transitionStage({ id, stage: "shown" })
  await own.updateById({ id, data: { words: [note("Chlieb", "a"), note("Soľ", "b")] } }, { locale: "sk" })
  const inLocale = (locale: string, text: string) =>
    own.count({ where: { words: { some: { type: "note", text } } }, locale, stage: "draft" })

  const all = await own.findOne({ where: { id }, locale: "*", stage: "draft" })

  expect(all.words).toEqual({ en: [note("Bread", "a")], sk: [note("Chlieb", "a"), note("Soľ", "b")] })
  expect(await Promise.all([inLocale("en", "Bread"), inLocale("sk", "Bread"), inLocale("sk", "Soľ")])).toEqual([
    1, 0, 1,
  ])
})

test("a deleted record comes back with its items", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES } })
  const own = app.client(editor).collections["pages"]
  const { id } = await own.create({ title: "x", body: [note("one", "a")], words: [] })
  await own.deleteById({ id })

  const restored = await own.restoreById({ id })

  expect(restored.body).toEqual([note("one", "a")])
})

test("a live query has the items of each write", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: LOCALES } })
  const own = app.client(editor).collections["pages"]
  const { id } = await own.create({ title: "x", body: [note("one", "a")], words: [] })
  await own.transitionStage({ id, stage: "shown" })
  const where = { body: { some: { type: "note", text: { contains: "ON" } } } }
  const seen: unknown[] = []
  const stop = own.live({ where, stage: "draft" }, (page: any) => seen.push(page.docs.map((doc: any) => doc.body)))
  await vi.waitFor(() => expect(seen).toEqual([[[note("one", "a")]]]), { timeout: 60_000 })

  await own.updateById({ id, data: { body: [{ type: "rule", id: "r" }] } })

  await vi.waitFor(() => expect(seen).toEqual([[[note("one", "a")]], []]), { timeout: 60_000 })
  stop()
})

const withBlocks = (declare: Parameters<ReturnType<typeof collection>["fields"]>[0]): Collection =>
  collection("posts")
    .fields(declare)
    .access({ ...everyone, versions: true })
    .options({ versions: true }) as never

const before = withBlocks(({ f }) => ({
  body: f.blocks({ note: { text: f.text(), size: f.text() }, old: { at: f.text() }, rule: {} }),
}))
const after = withBlocks(({ f }) => ({
  body: f.blocks({
    note: { text: f.text(), at: f.datetime(), list: f.array(f.text()) },
    rule: { wide: f.boolean().required().default(false) },
    more: { at: f.datetime() },
  }),
}))

test("items of earlier declarations stay readable: new members are null, removed blocks as they are stored", async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const db = { url: database.url }
  const body = [
    { type: "note", id: "a", text: "x", size: "big" },
    { type: "old", id: "b", at: "soon" },
    { type: "rule", id: "c" },
  ]
  let id = ""
  {
    await using app = await testApp({ resources: [before], config: { db } })
    id = (await app.client().collections["posts"].create({ body })).id
    await app.client().collections["posts"].updateById({ id, data: { body: [] } })
  }
  await using app = await testApp({ resources: [after], config: { db } })
  const own = app.client().collections["posts"]
  const read = [
    { type: "note", id: "a", text: "x", at: null, list: null },
    { type: "old", id: "b", at: "soon" },
    { type: "rule", id: "c", wide: null },
  ]

  const [, first] = await own.findVersions({ id })
  await database.query(`update "posts" set "body" = $1`, [JSON.stringify(body)])
  const found = await own.findOne({ where: { id } })
  const counted = await own.count({ where: { body: { some: { type: { ne: "more" } }, length: 3 } } })
  const written = await app.fetch(`/posts/${id}`, { method: "PATCH", body: JSON.stringify({ body: found.body }) })
  const kept = found.body.filter(({ type }: { type: string }) => type === "note")

  expect([first.body, found.body]).toEqual([read, read])
  expect(counted).toBe(1)
  expect(written.body.error.fieldErrors).toEqual([
    { path: "body.1.type", message: expect.stringContaining('There is no block "old".') },
    { path: "body.2.wide", message: "Required." },
  ])
  expect((await own.updateById({ id, data: { body: kept } })).body).toEqual([read[0]])
})
