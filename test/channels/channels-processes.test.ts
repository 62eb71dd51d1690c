// @module-tag experiment

import { channel, collection, type Session } from "kit"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { sessions, testApp } from "../support/worlds/test-app.ts"

const room = channel("room-[roomId]")
  .events({ message: z.object({ text: z.string() }) })
  .access({
    subscribe: async ({ session, collections }) =>
      (await collections["bans"]?.count({ where: { who: `${session?.user.id}` } })) === 0,
    publish: true,
  })
  .presence(({ session }) => ({ name: session?.user.id }))
const bans = collection("bans")
  .fields(({ f }) => ({ who: f.text().required() }))
  .access({ read: true })

const WAIT = { timeout: 60_000 }
const as = (id: string) => ({ user: { id } }) as Session
const of = (roomId: string) => ({ id: roomId, channel: "room", params: { roomId } })
const here = (...wanted: string[]) => {
  const text = JSON.stringify(wanted)
  return ({ members }: { members: readonly { id: string }[] }) => JSON.stringify(members.map(({ id }) => id)) === text
}

async function twoProcesses() {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const parts = { resources: [bans], channels: { room }, config: { db: { url: database.url } } }
  const [one, other] = [await testApp(parts), await testApp(parts)]
  onTestFinished(() => one[Symbol.asyncDispose]())
  onTestFinished(() => other[Symbol.asyncDispose]())
  return { one, other }
}

describe("two processes on one database", () => {
  test("hand on what is published in either, and show who is connected to either", async () => {
    const { one, other } = await twoProcesses()
    await using eva = await openEvents({ url: one.url, channels: [of("a")], session: as("eva") })
    await eva.next("subscribed")
    await eva.next("presence", here("eva"))
    await using ben = await openEvents({ url: other.url, channels: [of("a")], session: as("ben") })
    await ben.next("subscribed")

    for (const stream of [eva, ben]) await stream.next("presence", here("eva", "ben"))
    const say = (text: string) => ({ params: { roomId: "a" }, event: "message", data: { text } })
    const first = await one.app.channels["room"]?.publish(say("from one"))
    const second = await other.app.channels["room"]?.publish(say("from the other"))

    for (const stream of [eva, ben]) {
      expect(await stream.next("channel")).toMatchObject({ eventId: first?.eventId, data: { text: "from one" } })
      expect(await stream.next("channel")).toMatchObject({ eventId: second?.eventId })
    }
    await other.app.system.collections["bans"]?.create({ who: "eva" })
    expect(await eva.next("error")).toMatchObject({ topicId: "a", code: "FORBIDDEN" })
    await ben.next("presence", here("ben"))
  })

  test("tell a client each event once and in order, however often its streams break", async () => {
    const { one, other } = await twoProcesses()
    const streams: AbortController[] = []
    const fetch = (url: string, init: RequestInit) => {
      if (!url.endsWith("/realtime")) return globalThis.fetch(url, init)
      const breaking = new AbortController()
      streams.push(breaking)
      return globalThis.fetch(url, { ...init, signal: AbortSignal.any([breaking.signal, init.signal as AbortSignal]) })
    }
    const client = one.client(as("eva"), { fetch })
    const heard: string[] = []
    const onEvent = ({ eventId }: { eventId: string }) => heard.push(eventId)
    client.channels["room"].subscribe({ roomId: "busy" }, onEvent, { lastEventId: "0" })
    const published: string[] = []
    const publish = async (app: typeof one) => {
      const { eventId = "" } =
        (await app.app.channels["room"]?.publish({
          params: { roomId: "busy" },
          event: "message",
          data: { text: "" },
        })) ?? {}
      published.push(eventId)
    }

    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 60 }, (_, index) => publish(index % 2 === 0 ? one : other)))
      await vi.waitFor(() => expect(heard.length).toBeGreaterThan(round * 60), WAIT)
      streams.at(-1)?.abort()
    }
    await vi.waitFor(() => expect(heard).toHaveLength(published.length), WAIT)
    client.realtime.destroy()

    expect(heard).toEqual([...published].sort((left, right) => Number(left) - Number(right)))
    expect(streams.length).toBeGreaterThan(3)
  })

  test("change the channels of a stream, whichever of them is asked", async () => {
    const { one, other } = await twoProcesses()
    await using stream = await openEvents({ url: one.url, channels: [of("a")], session: as("eva") })
    const session = await stream.next("session")
    await stream.next("subscribed")

    const body = JSON.stringify({ ...session, topics: [], channels: [of("b")] })
    const { status } = await other.fetch("/realtime", { method: "POST", body, session: as("eva") })
    await stream.next("subscribed", ({ channelId }) => channelId === "b")
    for (const roomId of ["a", "b"]) {
      await other.app.channels["room"]?.publish({ params: { roomId }, event: "message", data: { text: roomId } })
    }

    expect(status).toBe(202)
    expect(await stream.next("channel")).toMatchObject({ channelId: "b", data: { text: "b" } })
    expect(stream.events.filter(({ name }) => name === "channel")).toHaveLength(1)
  })
})

const CONFIG = `
import { defineConfig, signedCookieSessions } from "kit"
export default defineConfig({ sessions: signedCookieSessions({ secret: "a secret for tests only" }) })
`
const ROOM = `
import { channel } from "kit"
const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
export default channel("room-[roomId]")
  .events({ message: anything })
  .access({ subscribe: true, publish: true })
  .presence(({ session }) => ({ name: session?.user.id }))
`

test("who was connected to a process that was killed is gone within seconds, and what it published is not", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ "kit.config.ts": CONFIG, "src/channels/room.ts": ROOM })
  const env = { DATABASE_URL: database.url, PORT: "0", KIT_SECRET: "a secret of 32 characters or more" }
  const start = () => new KitProcess(["start"], { cwd: folder.path, env })
  const [doomed, witness] = [start(), start()]
  const open = async (kit: KitProcess, id: string): Promise<EventReader> => {
    const [origin] = await kit.printed(/http:\/\/[\w.:]+/)
    return openEvents({ url: `${origin}/api`, channels: [of("a")], session: as(id) })
  }
  await using eva = await open(witness, "eva")
  await eva.next("presence", here("eva"))
  await using ben = await open(doomed, "ben")
  await eva.next("presence", here("eva", "ben"))
  await ben.next("subscribed")
  const [origin] = await doomed.printed(/http:\/\/[\w.:]+/)
  const published = await fetch(`${origin}/api/channels/publish`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: sessions.sign(as("ben")) },
    body: JSON.stringify({ channel: "room", params: { roomId: "a" }, event: "message", data: "last words" }),
  })
  await doomed.kill()
  const killedAt = performance.now()

  expect(published.status).toBe(200)
  expect(await eva.next("channel")).toMatchObject({ data: "last words" })
  await eva.next("presence", here("eva"))
  const goneMs = performance.now() - killedAt

  // It takes about 10 to 13 seconds; a machine that is busy may take longer.
  expect(goneMs).toBeLessThan(30_000)
  expect(witness.output).toContain("channels: room (room-[roomId])")
  await witness.stop()
  await database.drop()
})
