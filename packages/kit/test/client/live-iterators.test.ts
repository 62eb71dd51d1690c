import { describe, expect, test } from "vitest"
import { buildCollectionTopic, buildGlobalTopic, createClient } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { turn } from "./live-clock.ts"
import { Arrivals, liveServer } from "./live-server.ts"

describe("an iterator of a live query", () => {
  test("gives each snapshot that it is asked for in time, and only the newest of the others", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const seen = new Arrivals<unknown>()

    const iterator = collections.articles.liveIter({})
    const first = iterator.next()
    const stream = await server.stream()
    collections.articles.live({}, (snapshot) => seen.push(snapshot))
    stream.snapshot(stream.id(), 1)
    const one = await first
    for (const number of [2, 3, 4]) stream.snapshot(stream.id(), number)
    for (const _number of [1, 2, 3, 4]) await seen.next()
    const second = await iterator.next()
    await iterator.return()
    realtime.destroy()

    expect([one, second]).toEqual([
      { value: 1, done: false },
      { value: 4, done: false },
    ])
  })

  test("leaves when its reader does, and closes the stream with it", async () => {
    await using server = await liveServer()
    const { globals, realtime } = createClient<AppConfig>(server)
    const opened = server.stream()

    void opened.then((stream) => stream.snapshot(stream.id(), { theme: "dark" }))
    for await (const record of globals.settings.liveIter()) {
      expect(record).toEqual({ theme: "dark" })
      break
    }
    await (await opened).closed

    expect([realtime.topicCount, realtime.subscriberCount]).toEqual([0, 0])
  })

  test("ends with its signal, without an error", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const controller = new AbortController()

    const next = collections.articles.liveIter({}, { signal: controller.signal }).next()
    const stream = await server.stream()
    controller.abort(new Error("enough"))
    const early = await collections.articles.liveIter({}, { signal: controller.signal }).next()

    expect(await next).toEqual({ value: undefined, done: true })
    expect(early).toEqual({ value: undefined, done: true })
    await stream.closed
    expect(realtime.subscriberCount).toBe(0)
  })

  test("ends when the client ends all of them, also while it is loading", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)

    const next = collections.articles.liveIter({}).next()
    const stream = await server.stream()
    realtime.destroy()

    expect(await next).toEqual({ value: undefined, done: true })
    await stream.closed
  })

  test("throws the error of its topic", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)

    const next = collections.articles.liveIter({ where: { title: "a" } }).next()
    const stream = await server.stream()
    stream.send("error", { topicId: stream.id(), code: "VALIDATION_ERROR", message: "where.title: No such field." })

    await expect(next).rejects.toMatchObject({ code: "VALIDATION_ERROR", status: 400 })
    await stream.closed
    expect(realtime.subscriberCount).toBe(0)
  })

  test("throws when the stream is refused, which is not tried again because it has left", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const errors = new Arrivals<Error>()
    server.answers.push((response) => response.writeHead(401).end())

    collections.articles.live({ limit: 1 }, () => {}, { onError: (error) => errors.push(error) })
    const next = collections.articles.liveIter({ limit: 2 }).next()

    await expect(next).rejects.toMatchObject({ status: 401 })
    expect(await errors.next()).toMatchObject({ status: 401 })
    for (let count = 0; count < 100; count++) await turn()
    expect([server.requests.length, realtime.subscriberCount]).toEqual([1, 1])
    realtime.destroy()
  })

  test("outlives a stream that breaks", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)

    const iterator = collections.articles.liveIter({})
    const first = iterator.next()
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await first
    const second = iterator.next()
    stream.send("bye", { retryMs: 1 })
    const next = await server.stream()
    next.snapshot(next.id(), 2)

    expect(await second).toEqual({ value: 2, done: false })
    await iterator.return()
    await next.closed
    expect(realtime.subscriberCount).toBe(0)
  })
})

test("a client follows topics that were built by hand, as snapshots and as an iterator", async () => {
  await using server = await liveServer()
  const { realtime } = createClient(server)
  const articles = buildCollectionTopic("articles", { limit: 1, offset: undefined, columns: { title: true } })
  const heard = new Arrivals<unknown>()

  const counts = () => [realtime.topicCount, realtime.subscriberCount]
  const before = counts()
  const stop = realtime.subscribe(articles, (snapshot) => heard.push(snapshot))
  const during = counts()
  const next = realtime.stream(buildGlobalTopic("settings", { search: "x" }), undefined, "s").next()
  const stream = await server.stream()
  stream.snapshot(stream.id(0), "articles")
  stream.snapshot(stream.id(1), "settings")
  const arrived = [await heard.next(), (await next).value]
  stop()
  realtime.destroy()
  await stream.closed

  expect(articles).toEqual({ resourceType: "collection", resource: "articles", limit: 1 })
  expect(stream.topics).toMatchObject([articles, { id: "s", resourceType: "global", resource: "settings" }])
  expect([before, during]).toEqual([
    [0, 0],
    [1, 1],
  ])
  expect(arrived).toEqual(["articles", "settings"])
  expect(counts()).toEqual([0, 0])
})

test("after all is ended the client follows anew", async () => {
  await using server = await liveServer()
  const { collections, realtime } = createClient<AppConfig>(server)

  collections.articles.live({}, () => {})
  const first = await server.stream()
  realtime.destroy()
  await first.closed
  collections.articles.live({}, () => {})
  const second = await server.stream()
  realtime.destroy()

  expect(second.topics).toMatchObject([{ resource: "articles" }])
})
