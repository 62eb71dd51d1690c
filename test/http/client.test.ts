import { EventEmitter, once } from "node:events"
import { collection, global, route } from "kit"
import { createClient, type KitClientConfig, KitClientError, QuestpieClientError } from "kit/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true, purge: true }
const events = collection("events")
  .fields(({ f }) => ({ title: f.text().required(), at: f.datetime(), size: f.number().bigint() }))
  .options({ softDelete: true, revision: true })
  .access(OPEN)
const settings = global("settings")
  .fields(({ f }) => ({ since: f.datetime() }))
  .access({ read: true, update: true })

const heard = new EventEmitter()
const routes = {
  echo: route().handler(({ input }) => input),
  stuck: route().handler(({ request }) => {
    request.signal.addEventListener("abort", () => heard.emit("gone"))
    heard.emit("stuck")
    return new Promise(() => {})
  }),
  endless: route()
    .get()
    .raw()
    .handler(() => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([65])) }))),
  trace: route()
    .get()
    .handler(({ request }) => request.headers.get("x-trace")),
}

let app: TestApp
let client: ReturnType<TestApp["client"]>
beforeAll(async () => {
  app = await testApp({ resources: [events, settings], routes })
  client = app.client()
})
afterAll(() => app[Symbol.asyncDispose]())

test("a record goes through all that can happen to it", async () => {
  const at = new Date("2030-01-31T12:00:00.000Z")
  const created = await client.collections["events"].create({ title: "a", at, size: 2n ** 60n })
  const { id } = created

  const updated = await client.collections["events"].update({ id, data: { title: "b" }, expectedRevision: 1 })
  const stale = await client.collections["events"]
    .update({ id, data: { title: "c" }, expectedRevision: 1 })
    .catch((error: unknown) => error)
  const found = await client.collections["events"].findOne({ where: { id } })
  await client.collections["events"].delete({ id })
  const gone = await client.collections["events"].findOne({ where: { id } })
  const restored = await client.collections["events"].restore({ id })
  await client.collections["events"].delete({ id })
  const purged = await client.collections["events"].purgeById({ id })

  expect(created).toMatchObject({ at, size: 2n ** 60n, revision: 1 })
  expect(found).toEqual(updated)
  expect(stale).toBeInstanceOf(QuestpieClientError)
  expect(stale).toMatchObject({ status: 409, context: { revision: { expected: 1, actual: 2 } } })
  expect(gone).toBeNull()
  expect(restored).toMatchObject({ title: "b", at })
  expect(purged).toEqual({ success: true })
})

test("more dates than a request may list one by one arrive, because those that are alike are said once", async () => {
  const list = Array.from({ length: 1_500 }, (_, index) => ({ at: index % 3 ? new Date(index) : null, big: 5n }))

  expect(await client.routes.echo({ list })).toEqual({ list })
})

test("a global keeps its dates", async () => {
  const since = new Date(5)

  expect(await client.globals["settings"].get()).toBeNull()
  expect(await client.globals["settings"].update({ since })).toMatchObject({ since })
  expect(await client.globals["settings"].get({ columns: { since: true } })).toMatchObject({ since })
})

test("an aborted call ends at the server too", async () => {
  const controller = new AbortController()
  const [stuck, gone] = [once(heard, "stuck"), once(heard, "gone")]

  const called = client.routes.stuck({}, { signal: controller.signal })
  await stuck
  controller.abort(new RangeError("enough"))

  await expect(called).rejects.toThrow(new RangeError("enough"))
  await gone
})

test("a call that takes too long is given up, and says so", async () => {
  const thrown = await client.routes.stuck({}, { timeout: 30 }).catch((error: unknown) => error)

  expect(thrown).toBeInstanceOf(QuestpieClientError)
  expect(thrown).toMatchObject({ code: "TIMEOUT", status: 0, url: `${app.url}/stuck` })
})

test("an error and the config of a client have a short name too", async () => {
  const config: KitClientConfig = { baseURL: app.url, basePath: "/elsewhere" }

  const lost = createClient(config)
  const thrown = await lost.collections["events"]?.find({}).catch((error: unknown) => error)

  expect(KitClientError).toBe(QuestpieClientError)
  expect(thrown).toBeInstanceOf(KitClientError)
})

test("a stream without an end is read until the signal ends it", async () => {
  const controller = new AbortController()
  const response: Response = await client.routes.endless.get({}, { signal: controller.signal, timeout: 60_000 })
  const reader = response.body?.getReader()
  await reader?.read()

  const next = reader?.read()
  controller.abort(new RangeError("enough"))

  await expect(next).rejects.toThrow(new RangeError("enough"))
})

test("headers of a call reach the handler", async () => {
  expect(await client.routes.trace.get({}, { headers: { "X-Trace": "t-1" } })).toBe("t-1")
})

test("a client with the wrong basePath is told that there is nothing", async () => {
  const lost = app.client(undefined, { basePath: "/elsewhere" })

  const thrown = await lost.collections["events"].findOne({ where: { id: "1" } }).catch((error: unknown) => error)

  expect(thrown).toMatchObject({ name: "QuestpieClientError", status: 404, code: "NOT_FOUND" })
})
