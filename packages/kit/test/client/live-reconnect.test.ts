import { afterEach, describe, expect, test, vi } from "vitest"
import { createClient } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { playedClock, turn } from "./live-clock.ts"
import { Arrivals, liveServer } from "./live-server.ts"

const WATCHDOG_MS = 25_000

afterEach(() => {
  vi.restoreAllMocks()
})

function follow(server: { baseURL: string }, limit = 1) {
  // The longest of all waits, so that each one is known.
  vi.spyOn(Math, "random").mockReturnValue(1)
  const client = createClient<AppConfig>(server)
  const snapshots = new Arrivals<unknown>()
  const errors = new Arrivals<Error>()
  client.collections.articles.live({ limit }, (snapshot) => snapshots.push(snapshot), {
    onError: (error) => errors.push(error),
  })
  return { client, snapshots, errors, realtime: client.realtime }
}

describe("a stream that could not be opened", () => {
  test("is tried again after a time that doubles up to 30 s, and tells each time", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, errors } = follow(server)
    server.answers.push(...Array.from({ length: 7 }, () => (response: any) => response.writeHead(503).end()))

    const waits: number[] = []
    await clock.pass(0)
    for (const wait of [1, 2, 4, 8, 16, 30, 30]) {
      const error = await errors.next()
      expect(error).toMatchObject({ name: "QuestpieClientError", status: 503 })
      const before = server.requests.length
      await clock.started(wait * 1000)
      await clock.advance(wait * 1000 - 1)
      await turn()
      expect(server.requests.length).toBe(before)
      waits.push(wait)
      await clock.advance(1)
    }
    const stream = await server.stream()
    realtime.destroy()
    await stream.closed

    expect(waits).toHaveLength(7)
    expect(server.requests).toHaveLength(8)
  })

  test("waits a random part of that time, so that not all come back at once", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, errors } = follow(server)
    vi.spyOn(Math, "random").mockReturnValue(0)
    server.answers.push((response) => response.writeHead(429).end())

    await clock.pass(0)
    await errors.next()
    await clock.pass(500)
    await server.stream()
    realtime.destroy()
  })

  test.each([401, 403, 400, 413])("with %i is not tried again before something else is followed", async (status) => {
    await using server = await liveServer()
    using clock = playedClock()
    const { client, realtime, errors } = follow(server)
    const body = JSON.stringify({ error: { code: "FORBIDDEN", message: "No." } })
    server.answers.push((response) => response.writeHead(status).end(body))

    await clock.pass(0)
    const error = await errors.next()
    await clock.advance(120_000)
    await turn()
    const requests = server.requests.length
    client.collections.articles.live({ limit: 2 }, () => {})
    await clock.pass(0)
    const { topics } = await server.stream()
    realtime.destroy()

    expect(error).toMatchObject({ message: "No.", status })
    expect(requests).toBe(1)
    expect(topics.map(({ limit }) => limit)).toEqual([1, 2])
  })

  test("because a page answered says so", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, errors } = follow(server)
    const page = "<!doctype html><title>Welcome</title>"
    server.answers.push((response) => response.writeHead(200, { "content-type": "text/html" }).end(page))

    await clock.pass(0)
    const error = await errors.next()
    realtime.destroy()

    expect(error.name).toBe("QuestpieClientError")
    expect(error.message).toContain('/realtime answered 200, not as the API does: text/html "<!doctype html>')
  })

  test("because nobody listens says so", async () => {
    using clock = playedClock()
    const { realtime, errors } = follow({ baseURL: "http://127.0.0.1:9" })

    await clock.pass(0)
    const error = await errors.next()
    realtime.destroy()

    expect(error.message).toContain("No answer from http://127.0.0.1:9/realtime")
  })

  test("because getAuthHeaders failed tells that error and is tried again", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const getAuthHeaders = vi.fn().mockRejectedValueOnce(new RangeError("no token")).mockResolvedValue({})
    const { realtime, errors } = follow({ ...server, getAuthHeaders } as never)

    await clock.pass(0)
    const error = await errors.next()
    await clock.pass(1000)
    await server.stream()
    realtime.destroy()

    expect(error).toEqual(new RangeError("no token"))
  })
})

describe("a stream that is open", () => {
  test("and breaks is opened again after a second without a word, however often it did that before", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const ends = ["end", "break", "end"] as const
    for (const [index, how] of ends.entries()) {
      const stream = await server.stream()
      stream.snapshot(stream.id(), index, { hash: `h${index}` })
      await snapshots.next()
      stream[how]()
      await clock.pass(1000)
    }
    const last = await server.stream()
    realtime.destroy()

    expect(last.topics).toMatchObject([{ lastHash: "h2" }])
    expect(errors.count).toBe(0)
  })

  test("and breaks before it gave anything says so", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.end()
    const error = await errors.next()
    realtime.destroy()

    expect(error).toMatchObject({ name: "QuestpieClientError", status: 0, url: `${server.baseURL}/realtime` })
    expect(error.message).toBe(`The stream of ${server.baseURL}/realtime broke off: it was closed.`)
  })

  test("and is silent for 25 s is dead", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await snapshots.next()
    await clock.advance(WATCHDOG_MS - 1)
    stream.snapshot(stream.id(), 2)
    await snapshots.next()
    await clock.started(WATCHDOG_MS)
    await clock.advance(WATCHDOG_MS - 1)
    stream.send("ping", { ts: 1 })
    await clock.started(WATCHDOG_MS)
    await clock.advance(WATCHDOG_MS - 1)
    stream.snapshot(stream.id(), 3)
    const third = await snapshots.next()
    await clock.advance(WATCHDOG_MS)
    await stream.closed
    await clock.pass(1000)
    await server.stream()
    realtime.destroy()

    expect(third).toBe(3)
    expect(errors.count).toBe(0)
  })

  test("and never says a word is dead as well, and that is told", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, errors } = follow(server)
    server.answers.push((response) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders())

    await clock.pass(0)
    await clock.started(WATCHDOG_MS)
    await server.refused()
    await clock.advance(WATCHDOG_MS)
    const error = await errors.next()
    realtime.destroy()

    expect(error.message).toMatch(/silent for 25000 ms|did not answer within 25000 ms/)
  })

  test("and says bye is opened again when the server said", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await snapshots.next()
    stream.send("bye", { retryMs: 3000 })
    await stream.closed
    await clock.started(3000)
    await clock.advance(2999)
    await turn()
    expect(server.requests).toHaveLength(1)
    await clock.advance(1)
    const next = await server.stream()
    realtime.destroy()

    expect(next.topics).toMatchObject([{ lastHash: "h1" }])
    expect(errors.count).toBe(0)
  })

  test.each(["UNAUTHORIZED", "FORBIDDEN"])("and ends with %s stays closed until somebody comes", async (code) => {
    await using server = await liveServer()
    using clock = playedClock()
    const { client, realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await snapshots.next()
    stream.send("error", { topicId: "*", code, message: "Signed out." })
    const error = await errors.next()
    await stream.closed
    await clock.advance(120_000)
    await turn()
    const requests = server.requests.length
    client.collections.articles.live({}, () => {})
    await clock.pass(0)
    const { topics } = await server.stream()
    realtime.destroy()

    expect(error).toMatchObject({ message: "Signed out.", code })
    expect(requests).toBe(1)
    expect(topics).toHaveLength(2)
  })

  test("and ends with another error is opened again, and that is told", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.send("error", { topicId: "*", code: "SERVICE_UNAVAILABLE", message: "Too slow." })
    const error = await errors.next()
    await clock.pass(1000)
    await server.stream()
    realtime.destroy()

    expect(error).toMatchObject({ message: "Too slow.", status: 503 })
  })

  test("and writes what is no event is told, even if it served before", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await snapshots.next()
    stream.write("event: snapshot\ndata: {oops\n\n")
    const error = await errors.next()
    await stream.closed
    await clock.pass(1000)
    await server.stream()
    realtime.destroy()

    expect(error.message).toContain("broke off: ")
  })

  test("and cannot be told other topics for now is told them later", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    const { client, realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await snapshots.next()
    server.changeAnswers.push(503)
    client.collections.articles.live({ limit: 2 }, (snapshot) => snapshots.push(snapshot))
    await clock.pass(50)
    await server.change()
    await clock.pass(1000)
    const { body } = await server.change()
    realtime.destroy()

    expect(body.topics.map(({ limit }) => limit)).toEqual([1, 2])
    expect(errors.count).toBe(0)
  })
})
