import { afterEach, expect, test, vi } from "vitest"
import { currentUser } from "../../src/client/current-user.ts"
import { realtimeOf } from "../../src/client/live/realtime.ts"
import type { Subscription } from "../../src/client/live/subscription.ts"
import { buildCollectionTopic } from "../../src/client/live/topic-options.ts"
import { Transport } from "../../src/client/transport/transport.ts"
import { createClient } from "../../src/client.ts"
import { playedClock, turn } from "./live-clock.ts"
import { Arrivals, liveServer } from "./live-server.ts"

const WATCHDOG_MS = 25_000

afterEach(() => {
  vi.restoreAllMocks()
})

/** A client without types. Its subscribers write everything that they are called with into one list, in order. */
function heardBy(server: { baseURL: string }) {
  vi.spyOn(Math, "random").mockReturnValue(1)
  const { follow, realtime } = realtimeOf(new Transport(server), currentUser())
  const heard: string[] = []
  const requests: string[] = []
  const news = new Arrivals<string>()
  const hear = (what: string) => {
    heard.push(what)
    news.push(what)
  }
  const join = (name: string, resource = name, known?: Subscription["known"]) =>
    follow({
      known,
      topic: JSON.stringify(buildCollectionTopic(resource)),
      onSnapshot: (data) => hear(`${name} shows ${data}`),
      onCurrent: () => hear(`${name} is current`),
      onLost: () => hear(`${name} is lost`),
      onRequest: () => requests.push(name),
      onApplied: (writes) => hear(`${name} has ${writes}`),
      onError: (error) => hear(`${name}: ${error.message}`),
    })
  const until = async (what: string) => {
    while ((await news.next()) !== what);
  }
  return { join, heard, requests, until, realtime }
}

test("every subscriber of every live query hears of own writes, after the snapshots before them", async () => {
  await using server = await liveServer()
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  join("two")
  join("other one", "one")
  const stream = await server.stream()

  stream.snapshot(stream.id(0), 1)
  stream.snapshot(stream.id(1), 2)
  stream.send("applied", { writes: ["a", "b"] })
  await until("two has a,b")
  realtime.destroy()

  expect(heard).toEqual([
    "one shows 1",
    "other one shows 1",
    "two shows 2",
    "one has a,b",
    "other one has a,b",
    "two has a,b",
  ])
})

test("a live query that has got nothing on its stream yet hears of own writes after its first snapshot", async () => {
  await using server = await liveServer()
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  join("two")
  const stream = await server.stream()

  stream.snapshot(stream.id(0), 1)
  stream.send("applied", { writes: ["a"] })
  stream.send("applied", { writes: ["b"] })
  stream.snapshot(stream.id(1), 2)
  stream.snapshot(stream.id(1), 3)
  await until("two shows 3")
  realtime.destroy()

  expect(heard).toEqual(["one shows 1", "one has a", "one has b", "two shows 2", "two has a,b", "two shows 3"])
})

test("a lost stream is told once, and a confirmed snapshot on the next stream, too", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const { join, heard, requests, until, realtime } = heardBy(server)
  join("one")
  await clock.pass(0)
  const first = await server.stream()
  first.snapshot(first.id(), 1)
  await until("one shows 1")
  server.answers.push((response) => response.writeHead(503).end("{}"))

  first.break()
  await until("one is lost")
  await clock.pass(1000)
  await server.refused()
  await clock.pass(2000)
  const second = await server.stream()
  second.send("current", { topicId: second.id(), seq: 1 })
  second.send("current", { topicId: second.id(), seq: 1 })
  second.send("applied", { writes: ["a"] })
  await until("one has a")
  realtime.destroy()

  expect(heard.filter((what) => !what.includes(":"))).toEqual([
    "one shows 1",
    "one is lost",
    "one is current",
    "one has a",
  ])
  expect(requests).toEqual(["one", "one", "one"])
})

test("a confirmed result is current for those who knew it, and a snapshot for the others", async () => {
  await using server = await liveServer()
  const { join, heard, until, realtime } = heardBy(server)
  join("one", "one", { data: 1, hash: "h" })
  join("other one", "one")
  const stream = await server.stream()

  stream.send("current", { topicId: stream.id(), seq: 1 })
  await until("other one shows 1")
  realtime.destroy()

  expect(heard).toEqual(["one is current", "other one shows 1"])
})

test("a live query that joins an open stream is requested once, also if the request is repeated", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const { join, requests, until, realtime } = heardBy(server)
  join("one")
  await clock.pass(0)
  const stream = await server.stream()
  stream.snapshot(stream.id(), 1)
  await until("one shows 1")
  server.changeAnswers.push(503)

  join("two")
  await clock.pass(50)
  await server.change()
  await clock.pass(1000)
  const { body } = await server.change()
  realtime.destroy()

  expect(body.topics).toHaveLength(2)
  expect(requests).toEqual(["one", "two"])
})

test("own writes that were announced before the stream broke are told with the first result of the next stream", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  join("two")
  await clock.pass(0)
  const first = await server.stream()
  first.snapshot(first.id(0), 1)
  first.send("applied", { writes: ["a"] })
  await until("one has a")

  first.break()
  await until("one is lost")
  await clock.pass(1000)
  const second = await server.stream()
  second.snapshot(second.id(1), 2)
  await until("two has a")
  realtime.destroy()

  expect(heard).toEqual(["one shows 1", "one has a", "one is lost", "two shows 2", "two has a"])
})

test("the server's goodbye is a lost stream", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  await clock.pass(0)
  const first = await server.stream()

  first.snapshot(first.id(), 1)
  first.send("bye", { retryMs: 10 })
  await until("one is lost")
  await clock.pass(10)
  const second = await server.stream()
  second.snapshot(second.id(), 2)
  await until("one shows 2")
  realtime.destroy()

  expect(heard).toEqual(["one shows 1", "one is lost", "one shows 2"])
})

test("a subscriber that joins while the stream is lost learns it after the newest snapshot", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  await clock.pass(0)
  const stream = await server.stream()
  stream.snapshot(stream.id(), 1)
  await until("one shows 1")
  stream.break()
  await until("one is lost")

  join("other one", "one")
  await until("other one is lost")
  realtime.destroy()

  expect(heard).toEqual(["one shows 1", "one is lost", "other one shows 1", "other one is lost"])
})

test("a tab that is hidden long enough loses its stream, and is told when the snapshot is current again", async () => {
  await using server = await liveServer()
  using clock = playedClock()
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" })
  const show = (visibilityState: string) => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event("visibilitychange"))
  }
  vi.stubGlobal("document", page)
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  await clock.pass(0)
  const first = await server.stream()
  first.snapshot(first.id(), 1)
  await until("one shows 1")

  show("hidden")
  await clock.advance(20_000)
  await clock.started(WATCHDOG_MS)
  first.send("ping", { ts: 1 })
  await clock.started(WATCHDOG_MS)
  await clock.advance(10_000)
  await until("one is lost")
  show("visible")
  const second = await server.stream()
  second.send("current", { topicId: second.id(), seq: 1 })
  await until("one is current")
  realtime.destroy()
  vi.unstubAllGlobals()

  expect(heard).toEqual(["one shows 1", "one is lost", "one is current"])
})

test("a client that is done tells nobody that its stream is lost", async () => {
  await using server = await liveServer()
  const { join, heard, until, realtime } = heardBy(server)
  join("one")
  const stream = await server.stream()
  stream.snapshot(stream.id(), 1)
  await until("one shows 1")

  realtime.destroy()
  await stream.closed
  await turn()

  expect(heard).toEqual(["one shows 1"])
})

test("a client that nobody tells of own writes ignores them", async () => {
  await using server = await liveServer()
  const client = createClient({ ...server })
  const snapshots = new Arrivals<unknown>()
  client.collections["articles"]?.live({}, (snapshot) => snapshots.push(snapshot))
  const stream = await server.stream()

  stream.send("applied", { writes: ["a"] })
  stream.snapshot(stream.id(), 1)
  const snapshot = await snapshots.next()
  client.realtime.destroy()

  expect(snapshot).toBe(1)
})
