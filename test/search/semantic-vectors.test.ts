// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { type App, collection, type KitConfig } from "kit"
import type { Embedder } from "kit/embedders"
import { expect, test, vi } from "vitest"
import { checkVectorMemory } from "../../packages/kit/src/app/doctor/vector-checks.ts"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"
import { conceptEmbedder } from "./concept-embedder.ts"

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text().localized() }))
  .title("title")
  .searchable({})
  .options({ workflow: true })
  .access({ read: true, create: true, update: true, delete: true, transition: true, drafts: true })

const LOCALES: KitConfig = { locales: { default: "en", all: ["en", "de"], fallback: {} } }

test("another model embeds all texts again, and the vectors of the old one are deleted when nobody uses it", async () => {
  const database = await freshDatabase()
  const [first, second] = [conceptEmbedder("first"), conceptEmbedder("second")]
  const before = await start(database, first)
  await create(before, { title: "A car" })
  await create(before, { title: "A dog" })
  await embeddedAll(database)
  await before.stop()

  const after = await start(database, second)
  await vi.waitFor(() => expect(second.embedded).toHaveLength(2), { timeout: 60_000 })
  await embeddedAll(database)

  expect(await titles(after, "automobile")).toEqual(["A car"])
  expect(await models(database)).toEqual({ "first/256": 2, "second/256": 2 })

  await database.query("update _kit_search_models set used_at = now() - interval '2 days' where model = 'first/256'")
  await after.stopWorker()
  await after.startWorker()

  await vi.waitFor(async () => expect(await models(database)).toEqual({ "second/256": 2 }), { timeout: 60_000 })
})

test("an embedder that is added later embeds the records that exist", async () => {
  const database = await freshDatabase()
  const before = await startOn(database, [pages], LOCALES)
  await create(before, { title: "A car" })
  await before.stop()

  const after = await start(database, conceptEmbedder())

  await vi.waitFor(async () => expect(await titles(after, "vehicle")).toEqual(["A car"]), { timeout: 60_000 })
})

test("a process finds what another one has embedded", async () => {
  const database = await freshDatabase()
  const embedder = conceptEmbedder()
  const writer = await start(database, embedder)
  const reader = await startOn(database, [pages], { ...LOCALES, search: { embedder } })
  await create(writer, { title: "A car" })
  await embeddedAll(database)
  expect(await titles(reader, "vehicle")).toEqual(["A car"])

  await create(writer, { title: "Another automobile" })
  await embeddedAll(database)

  expect((await titles(reader, "vehicle")).sort()).toEqual(["A car", "Another automobile"])
})

test("vectors that no record needs are deleted, but not at once", async () => {
  const database = await freshDatabase()
  const app = await start(database, conceptEmbedder())
  const id = await create(app, { title: "A car" })
  await create(app, { title: "A dog" })
  await embeddedAll(database)
  await call(app, "PATCH", `/pages/${id}`, { title: "A boat" })
  await embeddedAll(database)
  const unused = () => database.query("select key from _kit_search_vectors where unused_at is not null")

  await restartWorker(app)
  await vi.waitFor(async () => expect(await unused()).toHaveLength(1), { timeout: 60_000 })
  expect(await models(database)).toEqual({ "concepts/256": 3 })

  await database.query("update _kit_search_vectors set unused_at = unused_at - interval '2 hours'")
  await restartWorker(app)
  await vi.waitFor(async () => expect(await models(database)).toEqual({ "concepts/256": 2 }), { timeout: 60_000 })
  expect(await titles(app, "dog")).toEqual(["A dog"])
})

test("a vector that is needed again before it is deleted is kept", async () => {
  const database = await freshDatabase()
  const embedder = conceptEmbedder()
  const app = await start(database, embedder)
  const id = await create(app, { title: "A car" })
  await embeddedAll(database)
  await call(app, "PATCH", `/pages/${id}`, { title: "A boat" })
  await embeddedAll(database)
  await database.query(`update _kit_search_vectors set unused_at = now() - interval '2 hours'
    where key = md5('${id}' || E'\\nA car')::uuid`)

  await call(app, "PATCH", `/pages/${id}`, { title: "A car" })
  await embeddedAll(database)
  await restartWorker(app)

  await vi.waitFor(async () => expect(await models(database)).toEqual({ "concepts/256": 2 }), { timeout: 60_000 })
  expect(await titles(app, "automobile")).toEqual(["A car"])
  expect(embedder.embedded.filter((text) => text === "A car")).toHaveLength(1)
})

test("vectors that need more memory than allowed make the search by meaning unavailable", async () => {
  const database = await freshDatabase()
  const app = await start(database, conceptEmbedder(), { vectorBytes: 3_000 })
  await create(app, { title: "A car" })
  await embeddedAll(database)
  await create(app, { title: "A vehicle" })
  await create(app, { title: "The third car" })
  await embeddedAll(database)

  for (const mode of ["semantic", "semantic"]) {
    const { status, body } = await call(app, "POST", "/search", { query: "automobile", mode })
    expect(status).toBe(503)
    expect(body.error.message).toContain('"search.vectorBytes"')
  }
  const embedder = conceptEmbedder()
  expect(await doctorOn(database, { embedder, vectorBytes: 3_000 })).toMatchObject([
    { status: "warn", message: expect.stringContaining("the vectors of 3 texts need 1 MB in each process, but") },
  ])
  expect(await doctorOn(database, { embedder })).toMatchObject([{ status: "ok" }])
  expect(await doctorOn(database, {})).toEqual([])
  const hybrid = await call(app, "POST", "/search", { query: "vehicle", mode: "hybrid" })
  expect([hybrid.status, hybrid.body.total]).toEqual([200, 1])
})

test("each locale and each stage has its own meaning", async () => {
  const database = await freshDatabase()
  const app = await start(database, conceptEmbedder())
  const id = await create(app, { title: "Hund" }, "de")
  await call(app, "PATCH", `/pages/${id}`, { title: "Boat" })
  await call(app, "POST", `/pages/${id}/transition`, { stage: "published" })
  await call(app, "PATCH", `/pages/${id}`, { title: "Car" })
  await embeddedAll(database)
  const found = async (query: string, more: object) =>
    (await call(app, "POST", "/search", { query, mode: "semantic", ...more })).body.total

  expect(await found("dog", { locale: "de", stage: "draft" })).toBe(1)
  expect(await found("dog", { locale: "en", stage: "draft" })).toBe(0)
  expect(await found("vehicle", { locale: "en", stage: "draft" })).toBe(1)
  expect(await found("vehicle", { locale: "en", stage: "published" })).toBe(0)
  expect(await found("boat", { locale: "en", stage: "published" })).toBe(1)
})

async function start(database: TestDatabase, embedder: Embedder, search: KitConfig["search"] = {}): Promise<App> {
  const app = await startOn(database, [pages], { ...LOCALES, search: { ...search, embedder } })
  await app.startWorker()
  return app
}

async function doctorOn(database: TestDatabase, search: NonNullable<KitConfig["search"]>) {
  const connection = openPostgres({ url: database.url, maxConnections: 1 })
  const findings = await checkVectorMemory(connection, search)
  await connection.close()
  return findings
}

async function restartWorker(app: App): Promise<void> {
  await app.stopWorker()
  await app.startWorker()
}

async function call(app: App, method: string, path: string, body: object): Promise<{ status: number; body: any }> {
  const request = new Request(`http://localhost${app.basePath}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const response = await app.handler(request)
  return { status: response.status, body: await response.json() }
}

async function create(app: App, data: object, locale = "en"): Promise<string> {
  const { status, body } = await call(app, "POST", `/pages?locale=${locale}`, data)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.id
}

/** Returns the titles that a search by meaning finds among the drafts. */
async function titles(app: App, query: string): Promise<string[]> {
  const { body } = await call(app, "POST", "/search", { query, mode: "semantic", stage: "draft" })
  return body.docs.map(({ title }: { title: string }) => title)
}

/** Returns the number of vectors of each model. */
async function models(database: TestDatabase): Promise<Record<string, unknown>> {
  const rows = await database.query("select model, count(*)::int as n from _kit_search_vectors group by 1 order by 1")
  return Object.fromEntries(rows.map(({ model, n }) => [model, n]))
}

/** Waits until no record is left to embed. */
async function embeddedAll(database: TestDatabase): Promise<void> {
  const isDone = async () => expect(await database.query("select id from _kit_search_queue")).toEqual([])
  await vi.waitFor(isDone, { timeout: 60_000 })
}
