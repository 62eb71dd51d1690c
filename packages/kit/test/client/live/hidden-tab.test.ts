import { afterEach, expect, test, vi } from "vitest"
import { createClient } from "../../../src/client.ts"
import { playedClock } from "../live-clock.ts"
import { Arrivals, liveServer } from "../live-server.ts"

const WATCHDOG_MS = 25_000

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Plays the document of a page; returns a function that shows or hides it. */
function playedPage(first: string) {
  const page = Object.assign(new EventTarget(), { visibilityState: first })
  vi.stubGlobal("document", page)
  return (visibilityState: string) => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event("visibilitychange"))
  }
}

function follow(config: Parameters<typeof createClient>[0]) {
  const client = createClient(config)
  const snapshots = new Arrivals<unknown>()
  const errors = new Arrivals<Error>()
  client.collections["articles"]?.live({ limit: 1 }, (snapshot) => snapshots.push(snapshot), {
    onError: (error) => errors.push(error),
  })
  return { ...client, snapshots, errors }
}

test("a tab that is hidden for 30 s closes its stream, and opens it again when it is shown", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const show = playedPage("visible")
  const { realtime, snapshots, errors } = follow(server)

  await clock.pass(0)
  const stream = await server.stream()
  stream.snapshot(stream.id(), 1)
  await snapshots.next()
  show("hidden")
  await clock.advance(20_000)
  show("visible")
  await clock.advance(4_000)
  stream.snapshot(stream.id(), 2)
  await snapshots.next()
  await clock.started(WATCHDOG_MS)
  show("hidden")
  await clock.advance(20_000)
  stream.send("ping", { ts: 1 })
  await clock.started(WATCHDOG_MS)
  await clock.advance(10_000)
  await stream.closed
  await clock.advance(120_000)
  const requests = server.requests.length
  show("visible")
  const next = await server.stream()
  realtime.destroy()

  expect(requests).toBe(1)
  expect(next.topics).toMatchObject([{ lastHash: "h2" }])
  expect(errors.count).toBe(0)
})

test("a hidden tab goes on where the client is told so", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  playedPage("hidden")
  const { realtime, snapshots } = follow({ ...server, realtime: { pauseHidden: false } })

  await clock.pass(0)
  const stream = await server.stream()
  await clock.advance(20_000)
  stream.snapshot(stream.id(), 1)
  await snapshots.next()
  await clock.advance(20_000)
  stream.snapshot(stream.id(), 2)
  const second = await snapshots.next()
  realtime.destroy()

  expect(second).toBe(2)
})

test("a page that was never shown opens no stream until it is shown, however long that takes", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const show = playedPage("hidden")
  const { realtime, collections, snapshots } = follow(server)

  await clock.pass(0)
  await clock.advance(120_000)
  collections["articles"]?.live({ limit: 2 }, () => {})
  await clock.pass(0)
  const requests = server.requests.length
  show("visible")
  const stream = await server.stream()
  stream.snapshot(stream.id(), 1)
  const first = await snapshots.next()
  show("hidden")
  await clock.advance(20_000)
  stream.snapshot(stream.id(), 2)
  const second = await snapshots.next()
  realtime.destroy()

  expect(requests).toBe(0)
  expect(stream.topics).toHaveLength(2)
  expect([first, second]).toEqual([1, 2])
})

test("a page whose subscriptions all ended before it was shown still opens no stream for the next one", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  playedPage("hidden")
  const { realtime, collections } = follow(server)

  await clock.pass(0)
  realtime.destroy()
  collections["articles"]?.live({}, () => {})
  await clock.pass(0)
  await clock.advance(60_000)
  const requests = server.requests.length
  realtime.destroy()

  expect(requests).toBe(0)
})
