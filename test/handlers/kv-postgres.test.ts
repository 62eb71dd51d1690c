// @module-tag not-about-shortcuts

import { afterAll, beforeAll, expect, test } from "vitest"
import { openKeyValues } from "../../packages/kit/src/app/parts/key-values-part.ts"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import type { Database } from "../../packages/kit/src/ports/database.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

let app: TestApp
let database: Database

beforeAll(async () => {
  app = await testApp({ resources: [] })
  database = openPostgres({ url: app.database.url })
})

afterAll(async () => {
  await database.close()
  await app[Symbol.asyncDispose]()
})

const quiet = { info() {}, warn() {}, error() {} }
const open = (now = () => new Date()) => openKeyValues({ config: undefined, database, logger: quiet, now })

test("what is set in a transaction is there for others once it commits", async () => {
  const kv = open()

  const seen = await database.transaction(async (transaction) => {
    await kv.on(transaction).set("draft", 1)
    return { inside: await kv.on(transaction).get("draft"), outside: await kv.on(database).get("draft") }
  })

  expect(seen).toEqual({ inside: 1, outside: undefined })
  expect(await kv.on(database).get("draft")).toBe(1)
})

test("what is set in a transaction that fails was never there", async () => {
  const kv = open()
  await kv.on(database).set("count", 1)

  const failing = database.transaction(async (transaction) => {
    await kv.on(transaction).increment("count", 10)
    await kv.on(transaction).set("lost", true)
    throw new Error("no")
  })

  await expect(failing).rejects.toThrow("no")
  expect(await kv.on(database).get("count")).toBe(1)
  expect(await kv.on(database).has("lost")).toBe(false)
})

test("a count that is refused leaves the transaction usable", async () => {
  const kv = open()

  await database.transaction(async (transaction) => {
    await kv.on(transaction).set("word", "x")
    await expect(kv.on(transaction).increment("word")).rejects.toMatchObject({ code: "CONFLICT" })
    await kv.on(transaction).set("after", 1)
  })

  expect(await kv.on(database).get("after")).toBe(1)
})

test("a sweep removes what has expired, and nothing else", async () => {
  const later = open(() => new Date(Date.now() + 61_000))
  await app.database.query("delete from _kit_kv")
  await open().on(database).set("stays", 1)
  await open().on(database).set("stays longer", 1, { ttl: 3600 })
  const text = `insert into _kit_kv select 'n' || n, '1', now() + interval '1 minute' from generate_series(1, 2500) n`
  await app.database.query(text)

  const removed = [await open().sweep(), await later.sweep()]

  expect(removed).toEqual([0, 2500])
  expect(await app.database.query("select key from _kit_kv order by key")).toEqual([
    { key: "stays" },
    { key: "stays longer" },
  ])
})

test("the table is not logged, and no request can name it", async () => {
  const [table] = await app.database.query("select relpersistence from pg_class where relname = '_kit_kv'")

  expect(table).toEqual({ relpersistence: "u" })
  expect((await app.fetch("/_kit_kv")).status).toBe(404)
})
