import { Redis } from "ioredis"
import { collection } from "kit"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { describeKeyValues } from "../support/oracles/kv-contract.ts"
import { RedisProcess } from "../support/processes/redis-process.ts"
import { testApp } from "../support/worlds/test-app.ts"

let server: RedisProcess
let admin: Redis

beforeAll(async () => {
  server = await RedisProcess.start()
  admin = new Redis(server.url)
})

afterAll(async () => {
  admin.disconnect()
  await server.stop()
})

const HOUR_MS = 60 * 60 * 1000
const PREFIX = "contract:"

describeKeyValues("values in Redis", async () => {
  const app = await testApp({ resources: [], config: { kv: { redis: { url: server.url, prefix: PREFIX } } } })
  return {
    app: app.app,
    // Redis has its own clock, so every expiry is moved an hour closer instead.
    passAnHour: async () => {
      for (const key of await admin.keys(`${PREFIX}*`)) {
        const endMs = await admin.pexpiretime(key)
        if (endMs > 0) await admin.pexpireat(key, endMs - HOUR_MS)
      }
    },
    remainingMs: async (key) => {
      const ms = await admin.pttl(PREFIX + key)
      return ms < 0 ? null : ms
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
})

test("apps with prefixes of their own share a server, and the database is left alone", async () => {
  await using first = await testApp({ resources: [], config: { kv: { redis: { url: server.url, prefix: "one:" } } } })
  await using second = await testApp({ resources: [], config: { kv: { redis: { url: server.url } } } })

  await first.app.kv.set("key", 1)

  expect(await second.app.kv.get("key")).toBeUndefined()
  expect(await admin.get("one:key")).toBe("1")
  expect(await first.database.query("select from _kit_kv")).toEqual([])
})

test("a dry run reads from Redis, and writes nothing to it", async () => {
  const visits = collection("visits")
    .fields(({ f }) => ({ number: f.number() }))
    .access({ read: true, create: true })
    .hooks({ beforeChange: async ({ data, kv }) => ({ ...data, number: await kv.increment("visits") }) })
  const config = { kv: { redis: { url: server.url, prefix: "dry:" } } }
  await using app = await testApp({ resources: [visits], config })
  await app.app.kv.set("visits", 41)
  const api = app.client().collections["visits"]

  const answers = [await api.create({}, { dryRun: true }), await api.create({}, { dryRun: true }), await api.create({})]

  expect(answers.map(({ number }) => number)).toEqual([42, 42, 42])
  expect(await admin.get("dry:visits")).toBe("42")
})

test("a server that is gone is a temporary failure, told once, and used again when it is back", async () => {
  await using own = await RedisProcess.start()
  await using app = await testApp({ resources: [], config: { kv: { redis: { url: own.url } } } })
  await app.app.kv.set("key", 1)
  await own.stop()

  const failing = app.app.kv.get("key")
  await expect(failing).rejects.toMatchObject({ isTemporary: true, message: "Redis did not answer." })
  await expect(app.app.kv.get("key")).rejects.toMatchObject({ isTemporary: true })
  const told = app.logged.filter(({ message }) => message.includes("Redis"))
  await own.restart()
  await vi.waitFor(() => app.app.kv.set("key", 2), { timeout: 60_000 })

  expect(told).toHaveLength(1)
  expect(await app.app.kv.get("key")).toBe(2)
})

test("an app starts and stops without its server as long as nobody asks for a value", async () => {
  await using app = await testApp({ resources: [], config: { kv: { redis: { url: "redis://127.0.0.1:1" } } } })

  expect((await app.fetch("/health")).status).toBe(200)
})
