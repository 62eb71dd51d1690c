// @module-tag not-about-shortcuts

import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { collection, type KitConfig, type Session } from "kit"
import { expect, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000 }
const MB = 1024 * 1024
const everyone = { read: true, create: true, update: true, delete: true } as const
const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea() }))
  .access(everyone)

const topicOf = (id: string, options: object = {}) => ({
  id,
  resourceType: "collection",
  resource: "posts",
  ...options,
})
const ann: Session = { user: { id: "ann" } }
const bob: Session = { user: { id: "bob" } }

/** Starts an app with one post of this size. */
async function appWithPost(bytes: number, realtime: KitConfig["realtime"] = {}) {
  const app = await testApp({ resources: [posts], config: { realtime } })
  const own = app.app.system.collections["posts"]
  const created = await own?.create({ title: "first", body: "x".repeat(bytes) })
  const rename = (title: string) => own?.updateById({ id: String(created?.["id"]), data: { title } })
  return { app, rename }
}

interface SilentClient {
  readonly socket: Socket
  /** Returns the number of snapshots so far. */
  count(): number
}

/** A client that counts its events and keeps none of them. */
async function openSilent(app: TestApp, topics: readonly object[], session?: Session): Promise<SilentClient> {
  const { host, hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  await once(socket, "connect")
  const body = JSON.stringify({ topics })
  const head = [
    `POST ${new URL(`${app.url}/realtime`).pathname} HTTP/1.1`,
    `host: ${host}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...(session ? [`cookie: ${sessions.sign(session)}`] : []),
  ]
  let count = 0
  let last = Buffer.alloc(0)
  const mark = "event: snapshot"
  socket.on("data", (chunk) => {
    const seen = Buffer.concat([last, chunk])
    for (let at = seen.indexOf(mark); at >= 0; at = seen.indexOf(mark, at + 1)) count++
    last = Buffer.from(seen.subarray(Math.max(0, seen.length - mark.length + 1)))
  })
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  return { socket, count: () => count }
}

test("many topics hold the bytes of a few snapshots, and are told of changes all the same", async () => {
  setFlagsFromString("--expose-gc")
  const collectGarbage: () => void = runInNewContext("gc")
  const { app, rename } = await appWithPost(MB, { snapshotBytesPerCaller: 4 * MB })
  // Filters that find the same record in many ways: each is a separate query.
  const topics = Array.from({ length: 30 }, (_, index) => topicOf(`${index}`, { where: { title: { ne: `${index}` } } }))
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers

  const client = await openSilent(app, topics)
  await vi.waitFor(() => expect(client.count()).toBe(30), WAIT)
  await rename("second")
  await vi.waitFor(() => expect(client.count()).toBe(60), WAIT)

  // Each snapshot has a megabyte, all of them thirty. The garbage collector frees unreferenced ones at any time.
  const heldMegabytes = () => {
    collectGarbage()
    return (process.memoryUsage().arrayBuffers - before) / MB
  }
  await vi.waitFor(() => expect(heldMegabytes()).toBeLessThan(15), WAIT)
  client.socket.destroy()
  await app[Symbol.asyncDispose]()
})

test("a process that keeps no bytes at all still confirms, tells newcomers, and repeats nothing", async () => {
  const { app, rename } = await appWithPost(10, { snapshotBytes: 0, snapshotBytesPerCaller: 0 })
  const topics = [topicOf("all")]
  await using first = await openEvents({ url: app.url, topics })
  const { hash } = await first.next("snapshot")

  await using resumed = await openEvents({ url: app.url, topics: [topicOf("all", { lastHash: hash })] })
  await using newcomer = await openEvents({ url: app.url, topics })
  expect(await resumed.next("current")).toMatchObject({ topicId: "all", seq: 1 })
  expect(await newcomer.next("snapshot")).toMatchObject({ hash, seq: 1 })
  await rename("second")
  const isNew = ({ data }: { data: unknown }) => JSON.stringify(data).includes("second")
  await Promise.all([first, resumed, newcomer].map((stream) => stream.next("snapshot", isNew)))

  const snapshots = [first, resumed, newcomer].map(({ events }) => events.filter(({ name }) => name === "snapshot"))
  expect(snapshots.map(({ length }) => length)).toEqual([2, 1, 2])
  await app[Symbol.asyncDispose]()
})

test("no query is run for a client that takes nothing, and the newest snapshot comes when it reads again", async () => {
  const database = await createTestDatabase()
  await database.query("create sequence reads")
  const counted = collection("posts")
    .fields(({ f }) => ({
      title: f.text().required(),
      body: f.textarea(),
      // Counts how often the record is read.
      read: f.virtual(f.number().integer(), "case when nextval('reads') > 0 then 1 end"),
    }))
    .access(everyone)
  const app = await testApp({ resources: [counted], config: { db: { url: database.url } } })
  const reads = async () => Number((await database.query("select last_value from reads"))[0]?.["last_value"])
  const own = app.app.system.collections["posts"]
  const id = String((await own?.create({ title: "first", body: "x".repeat(2 * MB) }))?.["id"])
  /** Returns how often the record is read while it changes three times; the last client receives each change. */
  const readsOfThree = async (told: () => number) => {
    const before = await reads()
    for (let round = 0; round < 3; round++) {
      const earlier = told()
      await own?.updateById({ id, data: { title: crypto.randomUUID() } })
      await vi.waitFor(() => expect(told()).not.toBe(earlier), WAIT)
    }
    return (await reads()) - before
  }
  let written = 0
  const byWriting = await readsOfThree(() => written++)
  const slow = await openSilent(app, [topicOf("slow", { where: { title: { ne: "slow" } } })])
  const fast = await openSilent(app, [topicOf("fast", { where: { title: { ne: "fast" } } })])
  await vi.waitFor(() => expect([slow.count(), fast.count()]).toEqual([1, 1]), WAIT)

  slow.socket.pause()

  // Buffers of the operating system take some megabytes before the server notices. From then on only one of the two
  // queries runs.
  await vi.waitFor(async () => expect(await readsOfThree(fast.count)).toBe(byWriting + 3), WAIT)
  const told = slow.count()
  slow.socket.resume()

  await vi.waitFor(() => expect(slow.count()).toBeGreaterThan(told), WAIT)
  for (const { socket } of [slow, fast]) socket.destroy()
  await app[Symbol.asyncDispose]()
  await database.drop()
})

test("whoever follows one query is told of a change before another caller who follows many has been told of all", async () => {
  const slow = collection("posts")
    .fields(({ f }) => ({
      title: f.text().required(),
      // Each read of the record takes a while.
      late: f.virtual(f.text(), "case when pg_sleep(0.05) is null then 'never' else 'late' end"),
    }))
    .access(everyone)
  const app = await testApp({ resources: [slow] })
  const own = app.client(ann).collections["posts"]
  const { id } = await own.create({ title: "first" })
  const topics = Array.from({ length: 60 }, (_, index) => topicOf(`${index}`, { where: { title: { ne: `${index}` } } }))
  await using many = await openEvents({ url: app.url, topics, session: ann })
  for (const _ of topics) await many.next("snapshot")
  await using one = await openEvents({ url: app.url, topics: [topicOf("one")], session: bob })
  await one.next("snapshot")
  const toldOf = (title: string) =>
    many.events.filter(({ name, data }) => name === "snapshot" && JSON.stringify(data).includes(title)).length

  await own.updateById({ id, data: { title: "changed" } })
  await one.next("snapshot", ({ data }) => JSON.stringify(data).includes("changed"))

  expect(toldOf("changed")).toBeLessThan(30)
  await vi.waitFor(() => expect(toldOf("changed")).toBe(60), WAIT)
  await app[Symbol.asyncDispose]()
})

test("one query too many is refused, all others go on, and one that ends makes room", async () => {
  const { app, rename } = await appWithPost(10, { queriesPerAddress: 2 })
  const first = topicOf("first", { where: { title: { ne: "1" } } })
  const second = topicOf("second", { where: { title: { ne: "2" } } })
  const third = topicOf("third", { where: { title: { ne: "3" } } })
  await using stream = await openEvents({ url: app.url, topics: [first, second] })
  const names = await stream.next("session")
  await stream.next("snapshot", ({ topicId }) => topicId === "first")
  await stream.next("snapshot", ({ topicId }) => topicId === "second")

  // A query that already runs costs nothing more.
  await using again = await openEvents({ url: app.url, topics: [first, third] })
  await again.next("snapshot", ({ topicId }) => topicId === "first")
  expect(await again.next("error")).toMatchObject({ topicId: "third", code: "RATE_LIMITED" })
  await using signedIn = await openEvents({ url: app.url, topics: [third], session: ann })
  await signedIn.next("snapshot")
  await rename("changed")
  await again.next("snapshot", ({ data }) => JSON.stringify(data).includes("changed"))

  const change = { ...names, topics: [first] }
  const headers = { "content-type": "application/json" }
  await app.fetch("/realtime", { method: "POST", headers, body: JSON.stringify(change) })
  await using later = await openEvents({ url: app.url, topics: [third] })
  expect(await later.next("snapshot")).toMatchObject({ topicId: "third" })
  await app[Symbol.asyncDispose]()
})

test("clients that take nothing are cut off past the bytes of their caller, and a client that reads is not", async () => {
  const { app, rename } = await appWithPost(4 * MB, { snapshotBytesPerCaller: 6 * MB })
  const reading = await openSilent(app, [topicOf("reading")], ann)
  const stalled = await Promise.all(
    [0, 1, 2, 3].map((index) => openSilent(app, [topicOf("stalled", { where: { title: { ne: `${index}` } } })])),
  )
  await vi.waitFor(() => expect(stalled.map((client) => client.count())).toEqual([1, 1, 1, 1]), WAIT)
  let closed = 0
  for (const { socket } of stalled) {
    socket.pause()
    socket.once("close", () => closed++).on("error", () => {})
  }

  // Buffers of the operating system take some megabytes of each stream.
  for (let round = 0; round < 5; round++) {
    const told = reading.count()
    await rename(`round ${round}`)
    await vi.waitFor(() => expect(reading.count()).toBeGreaterThan(told), WAIT)
  }
  for (const { socket } of stalled) socket.resume()

  await vi.waitFor(() => expect(closed).toBeGreaterThan(0), WAIT)
  expect(closed).toBeLessThan(4)
  expect(reading.socket.destroyed).toBe(false)
  for (const { socket } of [reading, ...stalled]) socket.destroy()
  await app[Symbol.asyncDispose]()
})
