import { Redis } from "ioredis"
import { channel, collection, job } from "kit"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import { openRedisBus } from "../../packages/kit/src/drivers/redis/bus.ts"
import type { MessageBus } from "../../packages/kit/src/ports/message-bus.ts"
import { openEvents } from "../support/oracles/live-events.ts"
import { RedisProcess } from "../support/processes/redis-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 5 }
const HOUR_MS = 3_600_000
let server: RedisProcess

beforeAll(async () => {
  server = await RedisProcess.start()
})

afterAll(() => server.stop())

interface BusSetup {
  readonly url?: string
  readonly prefix?: string
  readonly silenceMs?: number
  newestTransaction?(): Promise<string>
}

function openBus({ url = server.url, prefix = "test:", silenceMs: pollMs = HOUR_MS, ...more }: BusSetup = {}) {
  const errors: Error[] = []
  const newestTransaction = more.newestTransaction ?? (() => Promise.resolve("1"))
  const bus = openRedisBus({ url, prefix, pollMs, newestTransaction, onError: (error) => errors.push(error) })
  onTestFinished(() => bus.close())
  return { bus, errors }
}

async function listen(bus: MessageBus, channel: string) {
  const heard: string[] = []
  let times = 0
  const stop = bus.subscribe(channel, { onMessage: (text) => heard.push(text), onListening: () => times++ })
  await vi.waitFor(() => expect(times).toBe(1), WAIT)
  return { heard, stop, times: () => times }
}

test("a message reaches every subscriber of its channel, and no other app", async () => {
  const [{ bus }, { bus: other }, { bus: stranger }] = [openBus(), openBus(), openBus({ prefix: "stranger:" })]
  const here = await listen(bus, "news")
  const there = await listen(other, "news")
  const elsewhere = await listen(other, "weather")
  const apart = await listen(stranger, "news")

  bus.publish("news", "one")
  other.publish("weather", "rain")
  stranger.publish("news", "theirs")

  await vi.waitFor(
    () =>
      expect([here.heard, there.heard, elsewhere.heard, apart.heard]).toEqual([["one"], ["one"], ["rain"], ["theirs"]]),
    WAIT,
  )
})

test("equal messages that are sent close together arrive as one, and the last is never left out", async () => {
  const { bus } = openBus()
  const { heard } = await listen(bus, "counts")

  for (let round = 0; round < 200; round++) bus.publish("counts", "same")
  bus.publish("counts", "end")

  await vi.waitFor(() => expect(heard.at(-1)).toBe("end"), WAIT)
  expect(heard.length).toBeLessThan(20)
})

test("a server that goes and comes back is told once, and subscribers hear that they may have missed something", async () => {
  await using own = await RedisProcess.start()
  const { bus, errors } = openBus({ url: own.url })
  const listener = await listen(bus, "news")
  bus.publish("news", "before")
  await vi.waitFor(() => expect(listener.heard).toEqual(["before"]), WAIT)

  await own.stop()
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), WAIT)
  await own.restart()
  await vi.waitFor(() => expect(listener.times()).toBe(2), WAIT)
  bus.publish("news", "after")

  await vi.waitFor(() => expect(listener.heard.at(-1)).toBe("after"), WAIT)
  // One for each of its two connections.
  expect(errors.length).toBeLessThanOrEqual(2)
})

test("a subscription that has ended hears no more", async () => {
  const { bus } = openBus()
  const first = await listen(bus, "news")
  const second = await listen(bus, "news")

  first.stop()
  bus.publish("news", "late")

  await vi.waitFor(() => expect(second.heard).toEqual(["late"]), WAIT)
  expect(first.heard).toEqual([])
})

test("what is published before the bus is closed is sent, and closing an unused bus is fine", async () => {
  const { heard } = await listen(openBus().bus, "farewell")
  const { bus } = openBus()

  bus.publish("farewell", "goodbye")
  await bus.close()
  await openBus().bus.close()

  await vi.waitFor(() => expect(heard).toEqual(["goodbye"]), WAIT)
})

test("while the server is away, what others have written is looked for all the same", async () => {
  let newest = 1
  const newestTransaction = () => Promise.resolve(String(newest))
  const { bus } = openBus({ url: "redis://127.0.0.1:1", silenceMs: 20, newestTransaction })
  const onUnannouncedWrite = vi.fn()
  bus.subscribe("news", { onMessage: () => {}, onListening: () => {}, onUnannouncedWrite })
  await vi.waitFor(() => expect(onUnannouncedWrite).toHaveBeenCalledTimes(1), WAIT)

  newest = 2

  await vi.waitFor(() => expect(onUnannouncedWrite).toHaveBeenCalledTimes(2), WAIT)
})

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ read: true, create: true })

test("an app whose bus is Redis hears of what another process writes, and its workers of jobs", async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const done = vi.fn()
  const ring = job({ name: "ring", schema: z.object({ at: z.string() }), handler: ({ payload }) => done(payload.at) })
  const config = { db: { url: database.url }, bus: { redis: { url: server.url } } }
  await using reader = await testApp({ resources: [notes], jobs: { ring }, config })
  await using writer = await testApp({ resources: [notes], jobs: { ring }, config })
  await writer.app.stopWorker()
  const overheard: string[] = []
  const ear = new Redis(server.url)
  onTestFinished(() => ear.disconnect())
  ear.on("message", (channel: string) => overheard.push(channel))
  await ear.subscribe("kit:bus:kit_changes", "kit:bus:kit_jobs")
  await using stream = await openEvents({
    url: reader.url,
    topics: [{ id: "notes", resourceType: "collection", resource: "notes" }],
  })
  await stream.next("snapshot")

  await writer.fetch("/notes", { method: "POST", body: '{"text":"hello"}' })
  await writer.app.queue["ring"]?.publish({ at: "noon" })

  const { data } = await stream.next("snapshot")
  expect(data).toMatchObject({ docs: [{ text: "hello" }] })
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith("noon"), WAIT)
  // Published only on these channels.
  await vi.waitFor(() => expect(new Set(overheard)).toEqual(new Set(["kit:bus:kit_changes", "kit:bus:kit_jobs"])), WAIT)
  expect(
    await database.query(
      "select from pg_stat_activity where application_name = 'kit bus' and datname = current_database()",
    ),
  ).toEqual([])
})

test("an app whose bus is Redis hears what another process publishes in a channel, and who is connected to it", async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const hall = channel("hall")
    .events({ message: z.string() })
    .access({ subscribe: true })
    .presence(() => "here")
  const config = { db: { url: database.url }, bus: { redis: { url: server.url } } }
  await using reader = await testApp({ channels: { hall }, config })
  await using writer = await testApp({ channels: { hall }, config })
  await using stream = await openEvents({ url: reader.url, channels: [{ id: "hall", channel: "hall" }] })
  await stream.next("subscribed")
  await using other = await openEvents({ url: writer.url, channels: [{ id: "hall", channel: "hall" }] })

  await writer.app.channels["hall"]?.publish({ event: "message", data: "hello" })

  expect(await stream.next("channel")).toMatchObject({ data: "hello" })
  await stream.next("presence", ({ members }) => members.length === 2)
  await other.next("presence", ({ members }) => members.length === 2)
})
