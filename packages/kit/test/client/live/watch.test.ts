import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { CLIENT_PARTS } from "../../../src/client/client-parts.ts"
import type { HandleFacts } from "../../../src/client/handle-facts.ts"
import { createClient } from "../../../src/client.ts"
import { HANDLE } from "../../../src/wire/realtime/handle.ts"
import type { AppConfig } from "../../types/newspaper/src/generated/index.ts"
import { Arrivals, liveServer } from "../live-server.ts"

function factsOf(handle: object): HandleFacts {
  return Reflect.get(handle, HANDLE)
}

describe("watch", () => {
  test("sends every option of find: those of all live queries in the topic, the others in read", async () => {
    await using server = await liveServer()
    const { collections, globals, realtime } = createClient<AppConfig>(server)
    const { articles } = collections
    const selection = { columns: { title: true }, localeFallback: false } as const

    articles.watch({ where: { status: "done" }, search: "flood", total: false, limit: 5, ...selection }, () => {})
    articles.watch({ groupBy: { field: "status", docs: 2 }, with: { author: true } }, () => {})
    articles.record("a1").watch({ ...selection, with: { author: true } }, () => {})
    articles.total.watch({ where: { status: "done" }, search: "flood" }, () => {})
    globals.settings.watch({ localeFallback: false }, () => {})
    const { topics } = await server.stream()
    realtime.destroy()

    expect(topics.map(({ id, ...topic }) => topic)).toEqual([
      {
        resourceType: "collection",
        resource: "articles",
        where: { status: "done" },
        limit: 5,
        read: { search: "flood", total: false, ...selection },
      },
      {
        resourceType: "collection",
        resource: "articles",
        with: { author: true },
        read: { groupBy: { field: "status", docs: 2 } },
      },
      {
        resourceType: "collection",
        resource: "articles",
        with: { author: true },
        read: { operation: "record", id: "a1", ...selection },
      },
      {
        resourceType: "collection",
        resource: "articles",
        where: { status: "done" },
        read: { operation: "count", search: "flood" },
      },
      { resourceType: "global", resource: "settings", read: { localeFallback: false } },
    ])
  })

  test("shares the topic of equal options, in any order, and of a plain live query", async () => {
    await using server = await liveServer()
    const { collections, globals, realtime } = createClient<AppConfig>(server)
    const { articles } = collections

    articles.watch({ columns: { title: true, status: true }, search: "a", limit: 5 }, () => {})
    articles.watch({ limit: 5, search: "a", columns: { status: true, title: true }, total: undefined }, () => {})
    articles.watch({ where: { status: "done" } }, () => {})
    articles.live({ where: { status: "done" } }, () => {})
    articles.watch(undefined, () => {})
    articles.total.watch(undefined, () => {})
    articles.record("a").watch(undefined, () => {})
    articles.record("b").watch(undefined, () => {})
    globals.settings.watch({}, () => {})
    globals.settings.live({}, () => {})
    const { topics } = await server.stream()
    const { topicCount, subscriberCount } = realtime
    realtime.destroy()

    expect([topics.length, topicCount, subscriberCount]).toEqual([7, 7, 10])
  })

  test("sends a page as an offset, and leaves to the server what only the server can count or reject", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient(server)
    const pages = [
      { page: 3, limit: 10 },
      { page: 1, limit: 10 },
      { page: 2 },
      { page: 0, limit: 10 },
      { page: 2, offset: 4, limit: 10 },
    ]

    for (const page of pages) collections["articles"]?.watch(page as object, () => {})
    const { topics } = await server.stream()
    realtime.destroy()

    expect(topics.map(({ limit, offset, read }) => ({ limit, offset, read }))).toEqual([
      { limit: 10, offset: 20 },
      { limit: 10 },
      { read: { page: 2 } },
      { limit: 10, read: { page: 0 } },
      { limit: 10, offset: 4, read: { page: 2 } },
    ])
  })

  test("keeps unknown options, which the server rejects, and the locale of its start", async () => {
    await using server = await liveServer()
    const client = createClient(server)
    client.setLocale("sk")

    client.collections["articles"]?.watch({ colums: { title: true }, id: "a" } as object, () => {})
    client.setLocale("en")
    client.globals["settings"]?.watch({ where: {}, locale: "de" } as object, () => {})
    const { topics } = await server.stream()
    client.realtime.destroy()

    expect(topics).toMatchObject([
      { locale: "sk", read: { colums: { title: true }, id: "a" } },
      { locale: "de", read: { where: {} } },
    ])
  })

  test("refuses at once what find refuses, and a record without an id when it is loaded", async () => {
    await using server = await liveServer()
    const { articles } = createClient(server).collections
    const errors = new Arrivals<Error>()
    const where = { status: undefined }

    expect(() => articles?.watch({ where }, () => {})).toThrow("where.status is undefined")
    expect(() => articles?.total.watchIter({ where })).toThrow("where.status is undefined")
    articles?.record(undefined as never).watch({}, () => {}, { onError: (error) => errors.push(error) })

    expect((await errors.next()).message).toBe("undefined is not a record id.")
    expect(server.requests).toEqual([])
  })

  test("calls back with the snapshot alone, a count as a number, and iterates over the same", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient<AppConfig>(server)
    const heard = new Arrivals<unknown[]>()

    collections.articles.total.watch({}, (...given: unknown[]) => heard.push(given))
    const iterator = collections.articles.total.watchIter()
    const next = iterator.next()
    const stream = await server.stream()
    stream.snapshot(stream.id(), { count: 3 })
    const given = [await heard.next(), (await next).value]
    realtime.destroy()

    expect(given).toEqual([[3], 3])
    expect(stream.topics).toHaveLength(1)
  })
})

describe("live", () => {
  test("and liveIter leave out options that only watch has", async () => {
    await using server = await liveServer()
    const { collections, realtime } = createClient(server)

    collections["articles"]?.live({ limit: 1, columns: { title: true }, search: "x" } as object, () => {})
    const { topics } = await server.stream()
    realtime.destroy()

    expect(topics).toEqual([{ id: expect.any(String), resourceType: "collection", resource: "articles", limit: 1 }])
  })

  test.each([{ read: { operation: "count" } }, { kind: "total" }])("and liveIter refuse %j", (options) => {
    const { collections, realtime } = createClient({ baseURL: "http://localhost" })
    const { articles } = collections

    expect(() => articles?.live(options as object, () => {})).toThrow("There is no")
    expect(() => articles?.liveIter(options as object)).toThrow("There is no")
    expect(realtime.subscriberCount).toBe(0)
  })
})

describe("a subscription with a known result", () => {
  test("sends its hash, is told of another result, and others get it once it is confirmed", async () => {
    await using server = await liveServer()
    const client = createClient<AppConfig>(server)
    const facts = factsOf(client.collections.articles)
    const topic = facts.parts.topicOf(facts, { limit: 1 })
    const [knowing, other] = [new Arrivals<unknown>(), new Arrivals<unknown>()]

    facts.parts.follow({
      topic,
      known: { data: "known", hash: "h" },
      onSnapshot: (...given) => knowing.push(given),
    })
    facts.parts.follow({ topic, onSnapshot: (...given) => other.push(given) })
    const stream = await server.stream()
    stream.send("current", { topicId: stream.id(), seq: 1 })
    const confirmed = await other.next()
    stream.snapshot(stream.id(), "new", { seq: 2, hash: "i" })
    const changed = await knowing.next()
    client.realtime.destroy()

    expect(stream.topics).toMatchObject([{ limit: 1, lastHash: "h" }])
    expect(confirmed).toEqual(["known", "h"])
    expect(changed).toEqual(["new", "i"])
  })

  test("is told of the first snapshot like all others if the server has another one", async () => {
    await using server = await liveServer()
    const client = createClient<AppConfig>(server)
    const facts = factsOf(client.globals.settings)
    const heard = new Arrivals<unknown>()

    const known = { data: "known", hash: "h" }
    facts.parts.follow({ topic: facts.parts.topicOf(facts), known, onSnapshot: (...given) => heard.push(given) })
    const stream = await server.stream()
    stream.snapshot(stream.id(), "new", { hash: "i" })
    const first = await heard.next()
    client.realtime.destroy()

    expect(first).toEqual(["new", "i"])
  })
})

describe("a handle", () => {
  test("has the facts by which the bindings find its client, which nothing prints", () => {
    const client = createClient<AppConfig>({ baseURL: "http://localhost", headers: { "x-key": "secret" } })
    const { articles } = client.collections
    const parts: unknown = Reflect.get(client, CLIENT_PARTS)

    const facts = [articles, articles.record("a"), articles.total, client.globals.settings].map(factsOf)

    expect(facts).toEqual([
      { kind: "collection", resource: "articles", parts },
      { kind: "record", resource: "articles", id: "a", parts },
      { kind: "total", resource: "articles", parts },
      { kind: "global", resource: "settings", parts },
    ])
    expect(facts.every((one) => one.parts === parts)).toBe(true)
    expect(inspect(articles, { depth: 5 })).not.toContain("secret")
  })
})
