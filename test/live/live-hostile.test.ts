// @module-tag not-about-shortcuts

import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { sendRaw } from "../support/processes/raw-http.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea() }))
  .access(everyone)
const secrets = collection("secrets")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ softDelete: true, workflow: true })
  .access({ read: true, drafts: false, delete: false })

const topicOf = (resource: string, options: object = {}) => ({
  id: resource,
  resourceType: "collection",
  resource,
  ...options,
})
const ann: Session = { user: { id: "ann" } }
const bob: Session = { user: { id: "bob" } }
const total = (data: unknown) => (data as { totalDocs: number }).totalDocs

describe("calls that mean harm", () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp({ resources: [posts, secrets] })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const call = (body: string, headers: Record<string, string> = {}) =>
    sendRaw(app.url, {
      method: "POST",
      path: "/realtime",
      body,
      headers: { "content-type": "application/json", ...headers },
    })
  const json = JSON.stringify({ topics: [topicOf("posts")] })

  test.each([
    [
      "10,000 topics",
      JSON.stringify({ topics: Array.from({ length: 10_000 }, (_, id) => ({ ...topicOf("posts"), id: `${id}` })) }),
    ],
    [
      "a topic of more than a megabyte",
      JSON.stringify({ topics: [topicOf("posts", { where: { title: "x".repeat(2 ** 20) } })] }),
    ],
    ["what is no JSON", "{topics:"],
    ["a list of lists", "[".repeat(5_000)],
    ["a deep filter", JSON.stringify({ topics: [topicOf("posts", { where: nested(2_000) })] })],
    [
      "a prototype",
      '{"topics":[{"id":"a","resourceType":"collection","resource":"posts","where":{"__proto__":{"title":"x"}}}]}',
    ],
    ["extended JSON", JSON.stringify({ json: { topics: [] }, meta: { values: { topics: "Set" } } })],
  ])("with %s are refused, and others are served", async (_name, body) => {
    const answer = await Promise.race([call(body), opened(app, body)])

    expect([400, 413]).toContain(answer.status)
    await using stream = await openEvents({ url: app.url, topics: [topicOf("posts")] })
    expect(await stream.next("snapshot")).toMatchObject({ topicId: "posts" })
  })

  test.each([
    { name: "another site", headers: { origin: "https://evil.test" }, status: 403 },
    { name: "nowhere", headers: { origin: "null" }, status: 403 },
    { name: "a form", headers: { "content-type": "application/x-www-form-urlencoded" }, status: 415 },
    { name: "plain text", headers: { "content-type": "text/plain" }, status: 415 },
  ])("from $name open no stream", async ({ headers, status }) => {
    const answer = await call(json, { cookie: sessions.sign(ann), ...headers })

    expect(answer.status).toBe(status)
  })

  test.each(["GET", "HEAD", "PUT", "DELETE"])("by %s open no stream", async (method) => {
    const answer = await sendRaw(app.url, { method, path: "/realtime" })

    expect([404, 405]).toContain(answer.status)
  })

  test("options that a topic does not carry show nothing more", async () => {
    const draft = await app.app.system.collections["secrets"]?.create({ name: "draft" })
    const gone = await app.app.system.collections["secrets"]?.create({ name: "gone" })
    for (const each of [gone]) {
      await app.app.system.collections["secrets"]?.transitionStage({ id: String(each?.["id"]), stage: "published" })
      await app.app.system.collections["secrets"]?.deleteById({ id: String(each?.["id"]) })
    }
    const around = {
      includeDeleted: true,
      stage: "draft",
      columns: { name: true },
      groupBy: "name",
      search: "x",
    }
    await using stream = await openEvents({ url: app.url, topics: [topicOf("secrets", around)] })

    expect(await stream.next("snapshot")).toMatchObject({ data: { docs: [], totalDocs: 0 } })
    expect(JSON.stringify(stream.events)).not.toContain(String(draft?.["id"]))
  })

  test("names of what every object has are names of nothing", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", ""]
    const resources = names.flatMap((name, index) => [
      { ...topicOf(name), id: `c${index}` },
      { id: `g${index}`, resourceType: "global", resource: name },
    ])
    // A body with a prototype in it is refused as a whole.
    const options = names.slice(1).flatMap((name, index) => [
      { ...topicOf("posts", { where: { [name]: { eq: 1 } } }), id: `w${index}` },
      { ...topicOf("posts", { with: { [name]: true } }), id: `h${index}` },
      { ...topicOf("posts", { orderBy: { [name]: "asc" } }), id: `o${index}` },
    ])
    const topics = [...resources, ...options]
    await using stream = await openEvents({ url: app.url, topics: [...topics, topicOf("posts")] })

    for (const { id } of topics) {
      const { code } = await stream.next("error", ({ topicId }) => topicId === id)
      expect(["NOT_FOUND", "VALIDATION_ERROR"]).toContain(code)
    }
    expect(await stream.next("snapshot")).toMatchObject({ topicId: "posts" })
  })
})

test("one session opens no more streams than it may, and all others open theirs", async () => {
  await using app = await testApp({ resources: [posts] })
  const open = (session: Session | undefined) => openEvents({ url: app.url, topics: [topicOf("posts")], session })
  const many = await Promise.all(Array.from({ length: 60 }, () => open(ann)))

  const statuses = many.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  for (const session of [bob, undefined]) {
    await using stream = await open(session)
    expect(await stream.next("snapshot")).toMatchObject({ topicId: "posts" })
  }
  await Promise.all(many.map((stream) => stream[Symbol.asyncDispose]()))
})

test("clients that stop reading hold up nobody and hold on to little", async () => {
  await using app = await testApp({ resources: [posts] })
  const { posts: own } = app.app.system.collections
  const page = 100
  for (let index = 0; index < page; index++) await own?.create({ title: `post ${index}`, body: "x".repeat(10_000) })
  const first = await own?.findOne({})
  const body = JSON.stringify({ topics: [topicOf("posts", { limit: page })] })
  const sockets = await Promise.all(Array.from({ length: 50 }, () => stalled(app.url, body)))
  await using reader = await openEvents({ url: app.url, topics: [topicOf("posts", { limit: page })] })
  await reader.next("snapshot")
  const before = process.memoryUsage().rss

  for (let round = 0; round < 40; round++) {
    await own?.updateById({ id: String(first?.["id"]), data: { title: `round ${round}` } })
    await reader.next("snapshot", ({ data }) => JSON.stringify(data).includes(`round ${round}"`))
  }

  // One megabyte for each round and client would be two thousand.
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  for (const socket of sockets) socket.destroy()
})

test("rights of many that are judged anew by asking the database leave room for others", async () => {
  const keys = collection("keys")
    .fields(({ f }) => ({ holder: f.text() }))
    .access(everyone)
  const doors = collection("doors")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: async ({ asSystem }) => ((await asSystem().collections["keys"]?.count()) ?? 0) >= 0 })
  await using app = await testApp({ resources: [keys, doors], config: { db: { maxConnections: 1 } } })
  const topics = Array.from({ length: 100 }, (_, index) => ({
    ...topicOf("doors", { limit: index + 1 }),
    id: `${index}`,
  }))
  const streams = await Promise.all(Array.from({ length: 6 }, () => openEvents({ url: app.url, topics })))
  const hasAll = () => streams.every(({ events }) => events.filter(({ name }) => name === "snapshot").length >= 100)
  await expect.poll(hasAll).toBe(true)

  const statuses = new Set<number>()
  for (let round = 0; round < 3; round++) {
    statuses.add((await app.fetch("/keys", { method: "POST", body: "{}" })).status)
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.fetch("/keys")))
    for (const { status } of answers) statuses.add(status)
  }

  expect([...statuses].sort()).toEqual([200, 201])
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()))
})

describe("a database that goes away", () => {
  test("and comes back: all topics are what find answers, and nothing but the truth was told", async () => {
    await using proxy = await startDatabaseProxy()
    await using app = await testApp({ resources: [posts], config: { db: { url: proxy.url } } })
    await using other = await testApp({ resources: [posts], config: { db: { url: proxy.database.url } } })
    await using stream = await openEvents({ url: app.url, topics: [topicOf("posts")] })
    await stream.next("snapshot")

    await proxy.cut()
    await other.client().collections["posts"].create({ title: "while it was gone" })
    await proxy.restore()

    expect(total((await stream.next("snapshot")).data)).toBe(1)
    await other.client().collections["posts"].create({ title: "later" })
    expect(total((await stream.next("snapshot")).data)).toBe(2)
    expect(stream.events.map(({ name }) => name)).not.toContain("error")
  })

  test("when a stream is opened: it begins when the database is there", async () => {
    await using proxy = await startDatabaseProxy()
    await using app = await testApp({ resources: [posts], config: { db: { url: proxy.url } } })
    await proxy.cut()
    await using stream = await openEvents({ url: app.url, topics: [topicOf("posts")] })
    await stream.next("session")
    await proxy.restore()

    expect(await stream.next("snapshot")).toMatchObject({ topicId: "posts" })
  })

  test("with the connection that listens alone: what was missed is read", async () => {
    await using app = await testApp({ resources: [posts] })
    await using other = await testApp({ resources: [posts], config: { db: { url: app.database.url } } })
    await using stream = await openEvents({ url: app.url, topics: [topicOf("posts")] })
    await stream.next("snapshot")

    await app.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kit bus' and datname = current_database()",
    )
    await other.client().collections["posts"].create({ title: "unheard" })

    expect(total((await stream.next("snapshot")).data)).toBe(1)
  })
})

test("what a transaction wrote that was open for long is told when it ends", async () => {
  await using app = await testApp({ resources: [posts] })
  await using other = await testApp({
    resources: [posts],
    config: { db: { url: app.database.url, maxConnections: 2 } },
  })
  const { posts: own } = app.client().collections
  await using stream = await openEvents({ url: app.url, topics: [topicOf("posts")] })
  await stream.next("snapshot")
  let end = () => {}
  const ending = new Promise<void>((resolve) => {
    end = resolve
  })
  let note = () => {}
  const noted = new Promise<void>((resolve) => {
    note = resolve
  })
  const long = other.app.system.transaction(async ({ collections }) => {
    await collections["posts"]?.create({ title: "long" })
    note()
    await ending
  })
  await noted

  for (let count = 1; count <= 5; count++) {
    await own.create({ title: `short ${count}` })
    await stream.next("snapshot", ({ data }) => total(data) === count)
  }
  end()
  await long

  await stream.next("snapshot", ({ data }) => total(data) === 6)
})

test("an app that stops says so on every stream, and waits for none that does not read", async () => {
  const app = await testApp({ resources: [posts] })
  const { posts: own } = app.app.system.collections
  for (let index = 0; index < 100; index++) await own?.create({ title: `post ${index}`, body: "x".repeat(20_000) })
  const stream = await openEvents({ url: app.url, topics: [topicOf("posts")] })
  await stream.next("snapshot")
  const socket = await stalled(app.url, JSON.stringify({ topics: [topicOf("posts", { limit: 100 })] }))
  const startedAt = performance.now()

  await app[Symbol.asyncDispose]()

  expect(await stream.next("bye")).toEqual({ retryMs: expect.any(Number) })
  await stream.ended
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  socket.destroy()
})

test("a stream through the handler of web-standard requests is told, and is over when it is left", async () => {
  await using app = await testApp({ resources: [posts], config: { realtime: { connectionsPerAddress: 1 } } })
  const open = () =>
    app.app.handler(
      new Request("http://localhost/api/realtime", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ topics: [topicOf("posts")] }),
      }),
    )
  for (let round = 0; round < 3; round++) {
    const response = await open()
    expect(response.status).toBe(200)
    expect((await open()).status).toBe(429)
    const reader = response.body?.getReader()
    let text = ""
    while (!text.includes("event: snapshot")) text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
  }
})

/** A client that sends a request, reads the beginning of the answer, and then stops reading. */
async function stalled(url: string, body: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  const head = [
    `POST ${pathname.replace(/\/$/, "")}/realtime HTTP/1.1`,
    `host: ${hostname}:${port}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  await once(socket, "readable")
  return socket
}

function nested(depth: number): object {
  let filter: object = { title: "x" }
  for (let level = 0; level < depth; level++) filter = { NOT: filter }
  return filter
}

/** A stream that ends with an error for its topic counts as refused too. */
async function opened(app: TestApp, body: string): Promise<{ status: number }> {
  const response = await fetch(`${app.url}/realtime`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  if (response.status !== 200) return { status: response.status }
  const reader = response.body?.getReader()
  let text = ""
  while (!text.includes("event: error")) text += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  return { status: 400 }
}
