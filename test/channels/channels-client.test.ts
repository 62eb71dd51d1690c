// @module-tag not-about-shortcuts

import { channel, type Session } from "kit"
import type { QuestpieClientError } from "kit/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const room = channel("room-[roomId]")
  .events({ message: z.object({ text: z.string(), at: z.date().optional() }) })
  .access({ subscribe: ({ params }) => params.roomId !== "secret", publish: ({ session }) => session !== null })

const WAIT = { timeout: 60_000 }
const eva = { user: { id: "eva" } } as Session

let app: TestApp
let client: ReturnType<TestApp["client"]>
let rooms: any

beforeAll(async () => {
  app = await testApp({ channels: { room } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => {
  client = app.client(eva)
  rooms = client.channels["room"]
})

afterEach(() => client.realtime.destroy())

/** Subscribes, and collects the events. */
function listen(roomId: string, settings: object = {}) {
  const events: any[] = []
  const stop = rooms.subscribe({ roomId }, (event: any) => events.push(event), settings)
  return { events, stop, texts: () => events.map(({ data }) => data.text) }
}

const say = (roomId: string, text: string) => rooms.publish({ params: { roomId }, event: "message", data: { text } })

/** Publishes until an event arrives: only events after the server has subscribed are delivered. */
async function hears(listening: ReturnType<typeof listen>, roomId: string): Promise<void> {
  await vi.waitFor(async () => {
    await app.app.channels["room"]?.publish({ params: { roomId }, event: "message", data: { text: "hear" } })
    expect(listening.events.length).toBeGreaterThan(0)
  }, WAIT)
}

describe("a client of a channel", () => {
  test("publishes, and hears what others publish, with dates", async () => {
    const heard = listen("dates")
    await hears(heard, "dates")
    heard.events.length = 0

    const at = new Date(0)
    const { eventId } = await rooms.publish({ params: { roomId: "dates" }, event: "message", data: { text: "Hi", at } })

    await vi.waitFor(
      () => expect(heard.events.at(-1)).toEqual({ event: "message", eventId, data: { text: "Hi", at } }),
      WAIT,
    )
    heard.stop()
    expect(client.realtime.subscriberCount).toBe(0)
  })

  test("shares a channel between those who follow it, on one stream with live queries", async () => {
    const fetch = vi.fn(globalThis.fetch)
    client = app.client(eva, { fetch })
    rooms = client.channels["room"]
    const one = listen("shared")
    const two = listen("shared")
    await hears(one, "shared")

    await say("shared", "both")

    await vi.waitFor(() => expect([one.texts().at(-1), two.texts().at(-1)]).toEqual(["both", "both"]), WAIT)
    const bodies = fetch.mock.calls.filter(([url]) => String(url).endsWith("/realtime")).map(([, init]) => init?.body)
    expect(bodies.map((body) => JSON.parse(String(body)))).toEqual([
      { topics: [], channels: [{ id: expect.any(String), channel: "room", params: { roomId: "shared" } }] },
    ])
  })

  test("is told that it may not follow one, and the others go on", async () => {
    const errors: QuestpieClientError[] = []
    const open = listen("open")
    listen("secret", { onError: (error: QuestpieClientError) => errors.push(error) })
    await hears(open, "open")

    await vi.waitFor(() => expect(errors).toHaveLength(1), WAIT)
    expect(errors[0]).toMatchObject({ name: "QuestpieClientError", status: 403, code: "FORBIDDEN" })
    await expect(rooms.iter({ roomId: "secret" }).next()).rejects.toMatchObject({ status: 403 })
    await expect(rooms.iter({ roomId: "*" }).next()).rejects.toMatchObject({ status: 400 })
    await expect(client.channels["nothing"].iter({}).next()).rejects.toMatchObject({ status: 404 })
    await expect(rooms.publish({ params: { roomId: "open" }, event: "message", data: {} })).rejects.toMatchObject({
      status: 400,
      fieldErrors: [{ path: "data.text" }],
    })
    rooms = app.client().channels["room"]
    await expect(say("open", "")).rejects.toMatchObject({ status: 401 })
  })

  test("iterates over each event, however slowly they are taken", async () => {
    const controller = new AbortController()
    const first = await say("loop", "0")
    for (const text of ["1", "2", "3"]) await say("loop", text)
    const taken: string[] = []

    for await (const event of rooms.iter(
      { roomId: "loop" },
      { lastEventId: first.eventId, signal: controller.signal },
    )) {
      taken.push(event.data.text)
      if (event.data.text === "3") controller.abort()
    }

    expect(taken).toEqual(["1", "2", "3"])
  })

  test("hears after a broken connection what was published meanwhile, once and in order", async () => {
    const streams: AbortController[] = []
    const fetch = (url: string, init: RequestInit) => {
      if (!url.endsWith("/realtime")) return globalThis.fetch(url, init)
      const breaking = new AbortController()
      streams.push(breaking)
      return globalThis.fetch(url, { ...init, signal: AbortSignal.any([breaking.signal, init.signal as AbortSignal]) })
    }
    client = app.client(eva, { fetch })
    rooms = client.channels["room"]
    const heard = listen("broken")
    await hears(heard, "broken")
    heard.events.length = 0

    await say("broken", "1")
    await vi.waitFor(() => expect(heard.texts().at(-1)).toBe("1"), WAIT)
    streams[0]?.abort()
    await say("broken", "2")
    await say("broken", "3")
    await vi.waitFor(() => expect(heard.texts().at(-1)).toBe("3"), WAIT)
    await say("broken", "4")
    await vi.waitFor(() => expect(heard.texts().at(-1)).toBe("4"), WAIT)

    expect(streams).toHaveLength(2)
    expect(heard.texts().filter((text) => text !== "hear")).toEqual(["1", "2", "3", "4"])
  })

  test("is told of a gap, and goes on after it", async () => {
    const onGap = vi.fn()
    const old = await say("gap", "old")
    await say("gap", "forgotten")
    await app.database.query(`delete from "_kit_channel_events"`)

    const heard = listen("gap", { lastEventId: old.eventId, onGap })
    await vi.waitFor(() => expect(onGap).toHaveBeenCalledTimes(1), WAIT)
    await say("gap", "new")

    await vi.waitFor(() => expect(heard.texts()).toEqual(["new"]), WAIT)
  })

  test("is told what a lastEventId has to be, and the other subscriptions of the open stream go on", async () => {
    const onError = vi.fn()
    const other = listen("beside")
    await hears(other, "beside")

    listen("nonsense", { lastEventId: "the newest", onError })

    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1), WAIT)
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      status: 400,
      fieldErrors: [{ path: "channels.1.lastEventId", message: expect.stringContaining('or "0" for all events') }],
    })
    await say("beside", "still here")
    await vi.waitFor(() => expect(other.texts().at(-1)).toBe("still here"), WAIT)
  })
})
