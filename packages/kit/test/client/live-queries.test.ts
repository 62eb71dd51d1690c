import { getEventListeners } from "node:events"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createClient, QuestpieClientError } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { Arrivals, liveServer } from "./live-server.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

function listener() {
  const arrivals = new Arrivals<unknown>()
  return Object.assign((snapshot: unknown) => arrivals.push(snapshot), { arrivals })
}

describe("a subscription", () => {
  test("asks for its topic as plain JSON, with everything that other requests carry", async () => {
    await using server = await liveServer()
    const client = createClient<AppConfig>({
      ...server,
      headers: { "accept-language": "sk", "x-app": "a" },
      getAuthHeaders: () => ({ authorization: "Bearer x" }),
    })

    client.collections.articles.live(
      {
        where: {
          status: "done",
          editor: null,
          createdAt: { gt: new Date(0) },
          place: { path: { at: ["size"], eq: 5n } },
        },
        with: { author: true },
        orderBy: { createdAt: "desc", title: "asc" },
        limit: 5,
        offset: undefined,
        // @ts-expect-error not carried by a topic
        columns: { title: true },
      },
      () => {},
    )
    const { received } = await server.stream()
    client.realtime.destroy()

    expect(received.headers).toMatchObject({
      accept: "text/event-stream",
      "content-type": "application/json",
      "x-extendedjson": "1",
      "accept-language": "sk",
      "x-app": "a",
      authorization: "Bearer x",
    })
    expect(received.body).toEqual({
      topics: [
        {
          id: expect.any(String),
          resourceType: "collection",
          resource: "articles",
          where: {
            status: "done",
            editor: null,
            createdAt: { gt: "1970-01-01T00:00:00.000Z" },
            place: { path: { at: ["size"], eq: "5" } },
          },
          with: { author: true },
          orderBy: { createdAt: "desc", title: "asc" },
          limit: 5,
        },
      ],
    })
    expect(received.text).toContain('{"createdAt":"desc","title":"asc"}')
  })

  test("gets the first snapshot and each one after it, with dates", async () => {
    await using server = await liveServer()
    const client = createClient<AppConfig>(server)
    const heard = listener()

    client.collections.articles.live({}, heard)
    const stream = await server.stream()
    const data = { json: { docs: [{ at: "1970-01-01T00:00:00.000Z" }] }, meta: { values: { "docs.*.at": "Date" } } }
    stream.snapshot(stream.id(), undefined, { data })
    const first = await heard.arrivals.next()
    stream.snapshot(stream.id(), { docs: [] })
    const second = await heard.arrivals.next()
    client.realtime.destroy()

    expect(first).toEqual({ docs: [{ at: new Date(0) }] })
    expect(second).toEqual({ docs: [] })
  })

  test("gets plain JSON where the client uses that", async () => {
    await using server = await liveServer()
    const client = createClient<AppConfig>({ ...server, useExtendedJSON: false })
    const heard = listener()

    client.globals.settings.live({}, heard)
    const stream = await server.stream()
    stream.snapshot(stream.id(), undefined, { data: { json: "not an envelope" } })
    const snapshot = await heard.arrivals.next()
    client.realtime.destroy()

    expect(snapshot).toEqual({ json: "not an envelope" })
    expect(stream.received.headers).not.toHaveProperty("x-extendedjson")
    expect(stream.topics).toEqual([{ id: expect.any(String), resourceType: "global", resource: "settings" }])
  })

  test("is refused at once when a condition is undefined, also within a relation", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient(server)
    const where = { status: undefined }

    expect(() => collections["articles"]?.live({ where }, () => {})).toThrow("where.status is undefined")
    expect(() => collections["articles"]?.liveIter({ with: { comments: { where } } })).toThrow(
      "with.comments.where.status is undefined",
    )
    expect(() => collections["articles"]?.live({ where: { n: Number.NaN } }, () => {})).toThrow(TypeError)
    expect([realtime.subscriberCount, server.requests.length]).toEqual([0, 0])
  })

  test("keeps the locale and the options that it started with", async () => {
    await using server = await liveServer()
    const client = createClient(server)
    const options = { where: { status: "done" }, locale: undefined }
    client.setLocale("sk")

    client.collections["articles"]?.live(options, () => {})
    client.collections["articles"]?.live({ locale: "de" }, () => {})
    const iterator = client.collections["articles"]?.liveIter({ limit: 1 })
    client.setLocale("en")
    options.where.status = "draft"
    const waiting = iterator?.next()
    const { topics } = await server.stream()
    client.realtime.destroy()
    await waiting

    expect(topics.map(({ id, resourceType, resource, ...asked }) => asked)).toEqual([
      { where: { status: "done" }, locale: "sk" },
      { locale: "de" },
      { limit: 1, locale: "sk" },
    ])
  })

  test("leaves the language of the headers to them, which is not always a locale", async () => {
    await using server = await liveServer()
    const client = createClient({ ...server, headers: { "Accept-Language": "sk-SK, en;q=0.5" } })

    client.collections["articles"]?.live({}, () => {})
    client.setLocale("de")
    client.collections["articles"]?.live({}, () => {})
    const { topics, received } = await server.stream()
    client.realtime.destroy()

    expect(topics.map(({ locale }) => locale)).toEqual([undefined, "de"])
    expect(received.headers["accept-language"]).toBe("sk-SK, en;q=0.5")
  })

  test("that ended before the first stream is never asked for", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const controller = new AbortController()

    collections.articles.live({ limit: 1 }, () => {})()
    collections.articles.live({ limit: 2 }, () => {}, { signal: AbortSignal.abort() })
    collections.articles.live({ limit: 3 }, () => {}, { signal: controller.signal })
    collections.articles.live({ limit: 4 }, () => {})
    controller.abort()
    const { topics } = await server.stream()
    realtime.destroy()

    expect(topics.map(({ limit }) => limit)).toEqual([4])
  })

  test("ends with its signal, and leaves no listener on it", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const controller = new AbortController()
    const { signal } = controller
    const heard = listener()

    collections.articles.live({}, heard, { signal })
    const stop = collections.articles.live({}, () => {}, { signal })
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await heard.arrivals.next()
    stop()
    const countOfOne = realtime.subscriberCount
    controller.abort()
    await stream.closed

    expect([countOfOne, realtime.subscriberCount, realtime.topicCount]).toEqual([1, 0, 0])
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  test("that throws is reported as uncaught and harms nobody else", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()
    const reported = new Arrivals<unknown>()
    vi.stubGlobal("reportError", (error: unknown) => reported.push(error))

    collections.articles.live({}, () => {
      throw new RangeError("oops")
    })
    collections.articles.live({}, heard)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    stream.snapshot(stream.id(), 2)

    expect([await heard.arrivals.next(), await heard.arrivals.next()]).toEqual([1, 2])
    expect([await reported.next(), await reported.next()]).toEqual([new RangeError("oops"), new RangeError("oops")])
    vi.unstubAllGlobals()
    realtime.destroy()
  })
})

describe("topics", () => {
  test("that are equal are one on the wire; the order of names matters in an order only", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const { articles } = collections

    articles.live({ where: { status: "done", title: "a" }, limit: 5 }, () => {})
    articles.live({ limit: 5, where: { title: "a", status: "done" }, offset: undefined }, () => {})
    articles.live({ orderBy: { title: "asc", createdAt: "asc" } }, () => {})
    articles.live({ orderBy: { createdAt: "asc", title: "asc" } }, () => {})
    articles.live({ with: { author: true, editor: true } }, () => {})
    articles.live({ with: { editor: true, author: true } }, () => {})
    const { topics } = await server.stream()

    expect(topics).toHaveLength(4)
    expect(new Set(topics.map(({ id }) => id)).size).toBe(4)
    expect([realtime.topicCount, realtime.subscriberCount]).toEqual([4, 6])
    realtime.destroy()
    expect([realtime.topicCount, realtime.subscriberCount]).toEqual([0, 0])
  })

  test("have the id that their subscriber gives them, once", async () => {
    await using server = await liveServer()
    const { realtime } = createClient(server)
    const topic = { resourceType: "collection", resource: "articles" } as const

    realtime.subscribe(topic, () => {}, undefined, "mine")
    realtime.subscribe(topic, () => {}, undefined, "mine")
    realtime.subscribe({ ...topic, limit: 1 }, () => {}, undefined, "mine")
    realtime.subscribe(topic, () => {}, undefined, "*")
    const { topics } = await server.stream()
    realtime.destroy()

    const [first, second, third] = topics.map(({ id }) => id)
    expect(topics).toHaveLength(3)
    expect(first).toBe("mine")
    expect(new Set([first, second, third]).size).toBe(3)
    expect([first, second, third]).not.toContain("*")
  })

  test("that are none, or have an id that is too long, do not keep the others from being served", async () => {
    await using server = await liveServer()
    const { realtime } = createClient(server)
    const errors = new Arrivals<Error>()
    const wrong = { resourceType: "rumour", resource: "articles" } as never

    realtime.subscribe(
      wrong,
      () => {},
      undefined,
      undefined,
      (error) => errors.push(error),
    )
    const iterated = realtime.stream(wrong).next()
    realtime.subscribe({ resourceType: "global", resource: "settings" }, () => {}, undefined, "x".repeat(300))
    await expect(iterated).rejects.toThrow(TypeError)
    const { topics } = await server.stream()
    const count = realtime.subscriberCount
    realtime.destroy()

    expect((await errors.next()).message).toContain("A topic has a resourceType")
    expect(topics).toMatchObject([{ resource: "settings" }])
    expect(topics[0]?.id.length).toBeLessThanOrEqual(200)
    expect(count).toBe(1)
  })

  test("give whoever comes late the newest snapshot at once", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const [early, late] = [listener(), listener()]

    collections.articles.live({}, early)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    stream.snapshot(stream.id(), 2)
    await early.arrivals.next()
    await early.arrivals.next()
    let isReturned = false
    collections.articles.live({}, (snapshot) => late({ snapshot, isReturned }))
    isReturned = true
    const first = await late.arrivals.next()
    stream.snapshot(stream.id(), 3)
    const second = await late.arrivals.next()
    realtime.destroy()

    expect([first, second]).toEqual([
      { snapshot: 2, isReturned: true },
      { snapshot: 3, isReturned: true },
    ])
    expect(server.requests).toHaveLength(1)
  })

  test("are changed on the open stream, several at once, as the whole of what is wanted", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()

    const stop = collections.articles.live({ limit: 1 }, heard)
    const stream = await server.stream()
    stream.snapshot(stream.id(), "first")
    await heard.arrivals.next()
    collections.articles.live({ limit: 2 }, heard)
    collections.articles.live({ limit: 3 }, heard)
    stop()
    const change = await server.change()
    for (const { id, limit } of change.body.topics) stream.snapshot(id, limit)
    const arrived = [await heard.arrivals.next(), await heard.arrivals.next()]
    realtime.destroy()
    await stream.closed

    expect(Object.keys(change.body).sort()).toEqual(["sessionId", "token", "topics"])
    expect(change.body).toMatchObject({ sessionId: "s1", token: "t1" })
    expect(change.body.topics.map(({ limit }) => limit)).toEqual([2, 3])
    expect(change.headers).toMatchObject({ "x-extendedjson": "1", "content-type": "application/json" })
    expect(arrived).toEqual([2, 3])
    expect(server.requests).toHaveLength(2)
  })

  test("that somebody comes back for at once stay as they are", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()

    const stop = collections.articles.live({}, heard)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await heard.arrivals.next()
    stop()
    collections.articles.live({}, heard)
    collections.articles.live({ limit: 1 }, () => {})
    const again = await heard.arrivals.next()
    const { body } = await server.change()
    realtime.destroy()

    expect(again).toBe(1)
    expect(body.topics.map(({ id }) => id)).toContain(stream.id())
    expect(server.requests).toHaveLength(2)
  })

  test("of a stream that the server has lost are asked for on a new one, with what is here already", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()
    const onError = vi.fn()

    collections.articles.live({ limit: 1 }, heard, { onError })
    const stream = await server.stream()
    stream.snapshot(stream.id(), "old", { hash: "abc" })
    await heard.arrivals.next()
    server.changeAnswers.push(404)
    collections.articles.live({ limit: 2 }, heard, { onError })
    const second = await server.stream()
    await stream.closed
    second.send("current", { topicId: second.id(0), seq: 1 })
    second.snapshot(second.id(1), "new")
    const next = await heard.arrivals.next()
    realtime.destroy()

    expect(second.topics).toMatchObject([{ limit: 1, lastHash: "abc" }, { limit: 2 }])
    expect(second.topics[1]).not.toHaveProperty("lastHash")
    expect(next).toBe("new")
    expect(onError).not.toHaveBeenCalled()
  })

  test("that a change adds and the server refuses are over, and only these", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()
    const errors = new Arrivals<Error>()

    collections.articles.live({ limit: 1 }, heard)
    const stream = await server.stream()
    stream.snapshot(stream.id(), 1)
    await heard.arrivals.next()
    server.changeAnswers.push(400)
    collections.articles.live({ limit: 2 }, heard, { onError: (error) => errors.push(error) })
    const error = await errors.next()
    stream.snapshot(stream.id(), 2)
    const next = await heard.arrivals.next()
    const counts = [realtime.topicCount, realtime.subscriberCount]
    realtime.destroy()

    expect(error).toMatchObject({ name: "QuestpieClientError", status: 400 })
    expect(next).toBe(2)
    expect(counts).toEqual([1, 1])
  })

  test("hear nothing older than what they have heard, and nothing that is not for them", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()

    collections.articles.live({}, heard)
    const stream = await server.stream()
    stream.snapshot(stream.id(), "five", { seq: 5 })
    stream.snapshot(stream.id(), "four", { seq: 4 })
    stream.snapshot(stream.id(), "five again", { seq: 5 })
    stream.snapshot("nobody", "lost", { seq: 9 })
    stream.write('event: fanfare\ndata: "?"\n\n')
    stream.snapshot(stream.id(), "six", { seq: 6 })
    const arrived = [await heard.arrivals.next(), await heard.arrivals.next()]
    realtime.destroy()

    expect(arrived).toEqual(["five", "six"])
  })

  test("that end with an error tell it and are gone; the others go on", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()
    const errors = new Arrivals<Error>()

    collections.articles.live({ limit: 1 }, heard, { onError: (error) => errors.push(error) })
    collections.articles.live({ limit: 2 }, heard)
    const stream = await server.stream()
    stream.send("error", { topicId: stream.id(0), code: "FORBIDDEN", message: "You may not read this." })
    const error = await errors.next()
    stream.snapshot(stream.id(0), "too late")
    stream.snapshot(stream.id(1), "fine")
    const next = await heard.arrivals.next()
    const counts = [realtime.topicCount, realtime.subscriberCount]
    realtime.destroy()

    expect(error).toBeInstanceOf(QuestpieClientError)
    expect(error).toMatchObject({ message: "You may not read this.", code: "FORBIDDEN", status: 403 })
    expect(next).toBe("fine")
    expect(counts).toEqual([1, 1])
  })

  test("that the server has ended are asked for anew when somebody wants them again", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = listener()
    const errors = new Arrivals<Error>()

    collections.articles.live({ limit: 1 }, heard)
    collections.articles.live({ limit: 2 }, heard, { onError: (error) => errors.push(error) })
    const stream = await server.stream()
    stream.send("error", { topicId: stream.id(1), code: "FORBIDDEN", message: "Not yet." })
    await errors.next()
    collections.articles.live({ limit: 2 }, heard)
    const { body } = await server.change()
    realtime.destroy()

    const again = body.topics.find(({ limit }) => limit === 2)
    expect(body.topics).toHaveLength(2)
    expect(again?.id).not.toBe(stream.id(1))
  })
})
