// @module-tag installed-postgres

import { collection, global } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true })
const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    status: f.select(["open", "done"]).default("open"),
    secret: f.text().hidden(),
    author: f.relation("people"),
    tags: f.relation("tags").manyToMany(),
  }))
  .access({ read: true, create: true, update: true, delete: true })
const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true })
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required(), owner: f.text().required() }))
  .access({ read: ({ session }) => (session ? { owner: session.user.id } : false), create: true })
let noticesRead = 0
const notices = collection("notices")
  .fields(({ f }) => ({
    text: f.text().required(),
    author: f.relation("people"),
    times: f.computed(() => {
      noticesRead++
      return 1
    }),
  }))
  .access({ read: true })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })

const WAIT = { timeout: 60_000 }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [people, posts, tags, notes, notices, settings] })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => app.database.query('truncate people, posts, notes, notices, tags, "global_settings" cascade'))

const topic = (resource: string, options: object = {}) => ({
  id: resource,
  resourceType: "collection",
  resource,
  ...options,
})

const titles = (data: unknown) => (data as { docs: { title: string }[] }).docs.map(({ title }) => title)

describe("a live query", () => {
  test("tells what find answers, and tells it again when something changes", async () => {
    const { posts } = app.client().collections
    await posts.create({ title: "One" })
    await using stream = await openEvents({ url: app.url, topics: [topic("posts", { orderBy: { title: "asc" } })] })

    const first = await stream.next("snapshot")
    await posts.create({ title: "Two" })
    const second = await stream.next("snapshot")

    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    expect(stream.events[0]).toMatchObject({ name: "session", data: { sessionId: expect.any(String), userId: null } })
    expect(titles(first.data)).toEqual(["One"])
    expect(first).toMatchObject({ topicId: "posts", seq: 1 })
    expect(second.seq).toBe(2)
    expect(second.data).toEqual((await app.fetch("/posts?orderBy[title]=asc")).body)
  })

  test("carries where, with, orderBy, limit and offset, and nothing else", async () => {
    const { system } = app.app
    const eva = await system.collections["people"]?.create({ name: "Eva" })
    for (const title of ["A", "B", "C"]) await system.collections["posts"]?.create({ title, author: eva?.["id"] })
    await system.collections["posts"]?.create({ title: "D", status: "done" })
    const options = {
      where: { status: "open" },
      with: { author: true },
      orderBy: { title: "desc" },
      limit: 2,
      offset: 1,
      columns: { id: true },
      search: "nothing",
      includeDeleted: true,
      groupBy: "status",
      stage: "draft",
    }
    await using stream = await openEvents({ url: app.url, topics: [topic("posts", options)] })

    const { data } = await stream.next("snapshot")

    const query = "where[status]=open&with[author]=true&orderBy[title]=desc&limit=2&offset=1"
    expect(data).toEqual((await app.fetch(`/posts?${query}`)).body)
    expect(titles(data)).toEqual(["B", "A"])
  })

  test("changes with a record that it shows along with others", async () => {
    const { system } = app.app
    const eva = await system.collections["people"]?.create({ name: "Eva" })
    const rock = await system.collections["tags"]?.create({ name: "rock" })
    const created = await system.collections["posts"]?.create({ title: "A", author: eva?.["id"], tags: [rock?.["id"]] })
    const options = { with: { author: true, tags: true } }
    await using stream = await openEvents({ url: app.url, topics: [topic("posts", options)] })
    const shown = async () => {
      const { data } = await stream.next("snapshot")
      const [post] = (data as { docs: { author: { name: string } | null; tags: { name: string }[] }[] }).docs
      return [post?.author?.name, ...(post?.tags ?? []).map(({ name }) => name)]
    }

    expect(await shown()).toEqual(["Eva", "rock"])
    await system.collections["people"]?.updateById({ id: String(eva?.["id"]), data: { name: "Eve" } })
    expect(await shown()).toEqual(["Eve", "rock"])
    await system.collections["tags"]?.updateById({ id: String(rock?.["id"]), data: { name: "pop" } })
    expect(await shown()).toEqual(["Eve", "pop"])
    await system.collections["posts"]?.updateById({ id: String(created?.["id"]), data: { tags: { set: [] } } })
    expect(await shown()).toEqual(["Eve"])
  })

  test("is not told of a change that does not touch it", async () => {
    const { posts } = app.client().collections
    await posts.create({ title: "A" })
    await using stream = await openEvents({ url: app.url, topics: [topic("posts", { where: { status: "open" } })] })
    await stream.next("snapshot")

    await posts.create({ title: "B", status: "done" })
    await posts.create({ title: "C" })

    const { data, seq } = await stream.next("snapshot", (snapshot) => titles(snapshot.data).includes("C"))
    expect(titles(data)).toEqual(["C", "A"])
    expect(seq).toBe(2)
  })

  test("is not run when a record changes that is not part of it", async () => {
    const { system } = app.app
    const [eva, otto] = await Promise.all(["Eva", "Otto"].map((name) => system.collections["people"]?.create({ name })))
    await system.collections["notices"]?.create({ text: "A", author: eva?.["id"] })
    const topics = [topic("notices", { with: { author: true } }), topic("people")]
    await using stream = await openEvents({ url: app.url, topics })
    const next = (id: string) => stream.next("snapshot", ({ topicId }) => topicId === id)
    await Promise.all([next("notices"), next("people")])
    const readBefore = noticesRead

    await system.collections["people"]?.updateById({ id: String(otto?.["id"]), data: { name: "Otis" } })
    await next("people")
    await system.collections["people"]?.updateById({ id: String(eva?.["id"]), data: { name: "Eve" } })

    expect(await next("notices")).toMatchObject({ seq: 2, data: { docs: [{ author: { name: "Eve" } }] } })
    expect(noticesRead - readBefore).toBe(1)
  })

  test("of a global tells null before it is written, and then what it is", async () => {
    const asked = { id: "s", resourceType: "global", resource: "settings" }
    await using stream = await openEvents({ url: app.url, topics: [asked] })

    expect((await stream.next("snapshot")).data).toBe(null)
    await app.client().globals["settings"].update({ motto: "Onwards" })
    expect((await stream.next("snapshot")).data).toMatchObject({ motto: "Onwards" })
  })

  test("tells extended JSON to those who ask for it", async () => {
    await app.client().collections["posts"].create({ title: "A" })
    const headers = { "x-extendedjson": "1" }
    await using stream = await openEvents({ url: app.url, topics: [topic("posts")], headers })

    const { data } = await stream.next("snapshot")

    expect(stream.response.headers.get("x-extendedjson")).toBe("1")
    expect(data).toMatchObject({ json: { docs: [{ title: "A" }] }, meta: { values: { "docs.*.createdAt": "Date" } } })
  })

  test("that the client has already is confirmed, and told again only when it changes", async () => {
    const { posts } = app.client().collections
    await posts.create({ title: "A" })
    const first = await openEvents({ url: app.url, topics: [topic("posts")] })
    const { hash } = await first.next("snapshot")
    await first[Symbol.asyncDispose]()
    await using stream = await openEvents({ url: app.url, topics: [topic("posts", { lastHash: hash })] })

    expect(await stream.next("current")).toEqual({ topicId: "posts", seq: 1 })
    await posts.create({ title: "B" })

    expect(await stream.next("snapshot")).toMatchObject({ seq: 2, data: { totalDocs: 2 } })
  })
})

describe("rights", () => {
  const ann = { user: { id: "ann" } }

  test("hold for what is told: each caller is told their own", async () => {
    const { notes } = app.app.system.collections
    await notes?.create({ text: "mine", owner: "ann" })
    await using own = await openEvents({ url: app.url, topics: [topic("notes")], session: ann })
    await using other = await openEvents({ url: app.url, topics: [topic("notes")], session: { user: { id: "bob" } } })
    const texts = (data: unknown) => (data as { docs: { text: string }[] }).docs.map(({ text }) => text)

    expect(texts((await own.next("snapshot")).data)).toEqual(["mine"])
    expect(texts((await other.next("snapshot")).data)).toEqual([])
    const moved = await notes?.create({ text: "given away", owner: "ann" })
    expect(texts((await own.next("snapshot")).data)).toEqual(["given away", "mine"])
    await notes?.updateById({ id: String(moved?.["id"]), data: { owner: "bob", text: "secret" } })

    expect(texts((await own.next("snapshot")).data)).toEqual(["mine"])
    expect(texts((await other.next("snapshot")).data)).toEqual(["secret"])
  })

  test.each([
    { name: "a rule that denies", asked: topic("notes"), code: "UNAUTHORIZED" },
    { name: "a hidden field", asked: topic("posts", { where: { secret: "x" } }), code: "VALIDATION_ERROR" },
    { name: "an unknown field", asked: topic("posts", { where: { titel: "x" } }), code: "VALIDATION_ERROR" },
    { name: "a filter that is none", asked: topic("posts", { where: "x" }), code: "VALIDATION_ERROR" },
    { name: "a limit that is none", asked: topic("posts", { limit: "all" }), code: "VALIDATION_ERROR" },
    { name: "a collection that is none", asked: topic("__proto__"), code: "NOT_FOUND" },
    { name: "a locale that is none", asked: topic("posts", { locale: "xx" }), code: "VALIDATION_ERROR" },
  ])("$name ends its topic, and no other", async ({ asked, code }) => {
    await using stream = await openEvents({ url: app.url, topics: [{ ...asked, id: "wrong" }, topic("posts")] })

    expect(await stream.next("error")).toMatchObject({ topicId: "wrong", code })
    expect(await stream.next("snapshot")).toMatchObject({ topicId: "posts" })
    await app.client().collections["posts"].create({ title: "A" })
    expect(await stream.next("snapshot")).toMatchObject({ topicId: "posts", data: { totalDocs: 1 } })
    expect(stream.events.filter(({ data }) => "topicId" in data && data.topicId === "wrong")).toHaveLength(1)
  })
})

test("a user has so many streams and no more; others have theirs, and a closed one makes room", async () => {
  await using small = await testApp({
    resources: [people, tags, posts],
    config: { realtime: { connectionsPerUser: 2 } },
  })
  const open = (id: string) => openEvents({ url: small.url, topics: [topic("posts")], session: { user: { id } } })
  await using first = await open("ann")
  const second = await open("ann")
  await second.next("snapshot")

  await using refused = await open("ann")
  await using other = await open("bob")
  await first.next("snapshot")
  await other.next("snapshot")

  expect([refused.status, other.status]).toEqual([429, 200])
  await second[Symbol.asyncDispose]()
  await vi.waitFor(async () => {
    await using third = await open("ann")
    expect(third.status).toBe(200)
  }, WAIT)
})

describe("the topics of an open stream", () => {
  const change = (body: object) =>
    app.fetch("/realtime", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    })

  test("are changed by a call with its names: only what is new is told", async () => {
    await using stream = await openEvents({ url: app.url, topics: [topic("posts")] })
    const session = await stream.next("session")
    const { sessionId, token } = session
    await stream.next("snapshot")

    const added = await change({ sessionId, token, topics: [topic("posts"), topic("people")] })
    expect(added.status).toBe(202)
    expect(await stream.next("snapshot")).toMatchObject({ topicId: "people", seq: 1 })
    // A client may send the whole event back.
    await change({ ...session, topics: [topic("people")] })
    await app.client().collections["posts"].create({ title: "A" })
    await app.app.system.collections["people"]?.create({ name: "Eva" })

    expect(await stream.next("snapshot")).toMatchObject({ topicId: "people", data: { totalDocs: 1 } })
    expect(stream.events.filter(({ name }) => name === "snapshot")).toHaveLength(3)
  })

  test("asks for something else under the same name: what is asked for now is told", async () => {
    await app.client().collections["posts"].create({ title: "A", status: "done" })
    await using stream = await openEvents({ url: app.url, topics: [topic("posts")] })
    const names = await stream.next("session")
    await stream.next("snapshot", ({ data }) => titles(data).length === 1)

    await change({ ...names, topics: [topic("posts", { where: { status: "open" } })] })

    expect(titles((await stream.next("snapshot")).data)).toEqual([])
  })

  test.each([
    { name: "a wrong token", names: { token: crypto.randomUUID() }, status: 404 },
    { name: "no token", names: { token: undefined }, status: 400 },
  ])("are refused for $name", async ({ names, status }) => {
    await using stream = await openEvents({ url: app.url, topics: [topic("posts")] })
    const own = await stream.next("session")

    const answer = await change({ ...own, ...names, topics: [] })

    expect(answer.status).toBe(status)
  })
})

describe("a call that opens no stream", () => {
  test.each([
    { name: "no topics", body: {} },
    { name: "topics that are no list", body: { topics: { 0: topic("posts") } } },
    { name: "a topic that is none", body: { topics: ["posts"] } },
    { name: "a topic without an id", body: { topics: [{ ...topic("posts"), id: "" }] } },
    { name: "a topic whose id means all", body: { topics: [{ ...topic("posts"), id: "*" }] } },
    { name: "two topics of one id", body: { topics: [topic("posts"), topic("posts")] } },
    { name: "a kind that is none", body: { topics: [{ ...topic("posts"), resourceType: 7 }] } },
    { name: "a name that is none", body: { topics: [topic(7 as never)] } },
    {
      name: "too many topics",
      body: { topics: Array.from({ length: 101 }, (_, id) => ({ ...topic("posts"), id: `${id}` })) },
    },
    { name: "extended JSON", body: { json: { topics: [topic("posts")] } } },
  ])("has $name: 400", async ({ body }) => {
    const answer = await app.fetch("/realtime", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    })

    expect(answer.status).toBe(400)
    expect(answer.body.error.message).not.toBe("")
  })
})
