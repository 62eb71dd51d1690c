import { EventEmitter, getEventListeners, once } from "node:events"
import { afterEach, describe, expect, test, vi } from "vitest"
import { type CallOptions, createClient } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { errorOf } from "./error-of.ts"
import { fakeServer } from "./fake-server.ts"
import { serve } from "./serve.ts"

const ID = "018f2c6e-1111-7000-8000-000000000001"
const ANSWER = { docs: [], groups: [], count: 0, totalDocs: 0 }

type Operation = (client: ReturnType<typeof createClient<AppConfig>>, options: CallOptions) => Promise<unknown>

const OPERATIONS: readonly [name: string, operation: Operation][] = [
  ["find", ({ collections }, options) => collections.articles.find({}, options)],
  ["find with a body", ({ collections }, options) => collections.articles.find({ search: "x".repeat(9000) }, options)],
  ["findOne", ({ collections }, options) => collections.articles.findOne({}, options)],
  ["findOne by id", ({ collections }, options) => collections.articles.findOne({ where: { id: ID } }, options)],
  ["count", ({ collections }, options) => collections.articles.count({}, options)],
  [
    "count with a body",
    ({ collections }, options) => collections.articles.count({ search: "x".repeat(9000) }, options),
  ],
  ["create", ({ collections }, options) => collections.articles.create({ title: "a", author: ID }, options)],
  ["updateById", ({ collections }, options) => collections.articles.updateById({ id: ID, data: {} }, options)],
  ["update", ({ collections }, options) => collections.articles.update({ id: ID, data: {} }, options)],
  ["deleteById", ({ collections }, options) => collections.articles.deleteById({ id: ID }, options)],
  ["delete", ({ collections }, options) => collections.articles.delete({ id: ID }, options)],
  ["restoreById", ({ collections }, options) => collections.articles.restoreById({ id: ID }, options)],
  ["restore", ({ collections }, options) => collections.articles.restore({ id: ID }, options)],
  ["purgeById", ({ collections }, options) => collections.articles.purgeById({ id: ID }, options)],
  ["updateMany", ({ collections }, options) => collections.articles.updateMany({ all: true, data: {} }, options)],
  ["updateBatch", ({ collections }, options) => collections.articles.updateBatch({ updates: [] }, options)],
  ["deleteMany", ({ collections }, options) => collections.articles.deleteMany({ all: true }, options)],
  ["a global's get", ({ globals }, options) => globals.settings.get({}, options)],
  ["a global's update", ({ globals }, options) => globals.settings.update({}, options)],
  ["a route", ({ routes }, options) => routes.clubs.$club("a").invite({ email: "a@b.sk" }, options)],
  ["a route's get", ({ routes }, options) => routes.stats.get({}, options)],
]

afterEach(() => {
  vi.useRealTimers()
})

describe("on every operation", () => {
  test.each(OPERATIONS)("%s takes headers and limits, and sends neither as options", async (_name, operation) => {
    await using server = await fakeServer({ body: ANSWER })
    const { signal } = new AbortController()

    await operation(createClient(server), { signal, timeout: 60_000, headers: { "x-trace": "t-1" } })

    expect(server.request.headers["x-trace"]).toBe("t-1")
    expect(`${server.request.query} ${server.request.body}`).not.toMatch(/signal|timeout|headers|trace/)
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  test.each(OPERATIONS)("%s is not sent when it is aborted already", async (_name, operation) => {
    await using server = await fakeServer({ body: ANSWER })
    const getAuthHeaders = vi.fn(() => ({}))
    const signal = AbortSignal.abort(new RangeError("no longer wanted"))

    const called = operation(createClient({ baseURL: server.baseURL, getAuthHeaders }), { signal })

    await expect(called).rejects.toThrow(new RangeError("no longer wanted"))
    expect(server.requests).toEqual([])
    expect(getAuthHeaders).not.toHaveBeenCalled()
  })

  test.each(OPERATIONS)("%s ends when its time is over", async (_name, operation) => {
    await using server = await serve(() => {})

    const thrown = await errorOf(operation(createClient(server), { timeout: 20 }))

    expect(thrown).toMatchObject({ name: "QuestpieClientError", code: "TIMEOUT", status: 0, statusText: "" })
    expect(thrown.isCode("TIMEOUT")).toBe(true)
    expect(thrown.message).toContain("did not answer within 20 ms.")
    expect(thrown.message).toContain(server.baseURL)
  })
})

describe("an abort", () => {
  test("throws the reason of the signal, as fetch does", async () => {
    const events = new EventEmitter()
    await using server = await serve(() => events.emit("request"))
    const controller = new AbortController()
    const arrived = once(events, "request")

    const found = createClient<AppConfig>(server).collections.articles.find({}, { signal: controller.signal })
    await arrived
    controller.abort()

    await expect(found).rejects.toBe(controller.signal.reason)
    expect(controller.signal.reason).toMatchObject({ name: "AbortError" })
    expect(getEventListeners(controller.signal, "abort")).toEqual([])
  })

  test("ends a body that is still arriving, and the connection with it", async () => {
    const events = new EventEmitter()
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.write('{"docs":[')
      response.on("close", () => events.emit("closed"))
      events.emit("started")
    })
    const controller = new AbortController()
    const started = once(events, "started")
    const closed = once(events, "closed")

    const found = createClient<AppConfig>(server).collections.articles.find({}, { signal: controller.signal })
    await started
    controller.abort(new RangeError("enough"))

    await expect(found).rejects.toThrow(new RangeError("enough"))
    await closed
  })

  test("does not wait for auth headers, and nothing is sent when they come", async () => {
    await using server = await fakeServer({ body: ANSWER })
    const { promise, resolve } = deferred<Record<string, string>>()
    const client = createClient<AppConfig>({ baseURL: server.baseURL, getAuthHeaders: () => promise })
    const controller = new AbortController()

    const found = client.collections.articles.find({}, { signal: controller.signal })
    controller.abort(new RangeError("enough"))
    await expect(found).rejects.toThrow(new RangeError("enough"))
    resolve({})
    await createClient(server).collections["other"]?.find()

    expect(server.requests.map(({ path }) => path)).toEqual(["/other"])
  })

  test("ends a call even where fetch does not know of signals", async () => {
    const client = createClient<AppConfig>({ baseURL: "http://kit.test", fetch: () => new Promise(() => {}) })
    const controller = new AbortController()

    const found = client.collections.articles.find({}, { signal: controller.signal, timeout: 60_000 })
    controller.abort(new RangeError("enough"))

    await expect(found).rejects.toThrow(new RangeError("enough"))
    expect(getEventListeners(controller.signal, "abort")).toEqual([])
  })

  test("ends all calls that share the signal, which gets no listeners from them", async () => {
    const client = createClient<AppConfig>({ baseURL: "http://kit.test", fetch: () => new Promise(() => {}) })
    const controller = new AbortController()
    const { signal } = controller

    const calls = Array.from({ length: 50 }, () => client.collections.articles.find({}, { signal }))
    const listeners = getEventListeners(signal, "abort")
    controller.abort(new RangeError("enough"))
    const outcomes = await Promise.allSettled(calls)

    expect(listeners).toEqual([])
    expect(outcomes).toEqual(calls.map(() => ({ status: "rejected", reason: signal.reason })))
  })

  test("after the answer changes nothing", async () => {
    await using server = await fakeServer({ body: ANSWER })
    const controller = new AbortController()

    const page = await createClient<AppConfig>(server).collections.articles.find({}, { signal: controller.signal })
    controller.abort()

    expect(page).toEqual(ANSWER)
  })

  test("ends the body of a Response that a route handed over", async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("first")
    })
    const controller = new AbortController()
    const options = { signal: controller.signal, timeout: 60_000 }

    const response = (await createClient(server).routes["stream"]?.(undefined, options)) as Response
    const reader = response.body?.getReader()
    const first = await reader?.read()
    const next = reader?.read()
    controller.abort(new RangeError("enough"))

    expect(getEventListeners(controller.signal, "abort")).toEqual([])
    expect(new TextDecoder().decode(first?.value)).toBe("first")
    await expect(next).rejects.toThrow(new RangeError("enough"))
  })
})

describe("a timeout", () => {
  test("of the client is the one of every call that has no other", async () => {
    await using server = await serve(() => {})
    const { articles } = createClient<AppConfig>({ ...server, timeout: 20 }).collections

    const byDefault = await errorOf(articles.find())
    const byCall = await errorOf(articles.find({}, { timeout: 10 }))

    expect(byDefault.message).toContain("within 20 ms")
    expect(byCall.message).toContain("within 10 ms")
  })

  test("ends a body that is still arriving", async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"docs":[')
    })

    const thrown = await errorOf(createClient(server).collections["anything"]?.find({}, { timeout: 50 }))

    expect(thrown.code).toBe("TIMEOUT")
  })

  test("counts the auth headers in", async () => {
    const getAuthHeaders = () => new Promise<Record<string, string>>(() => {})
    const client = createClient<AppConfig>({ baseURL: "http://kit.test", getAuthHeaders, timeout: 10 })

    const thrown = await errorOf(client.collections.articles.find())

    expect(thrown.code).toBe("TIMEOUT")
  })

  test("leaves no timer behind, whatever ends the call", async () => {
    const findBy = (fetch: () => Promise<Response>, options: CallOptions) =>
      createClient({ baseURL: "http://kit.test", fetch }).collections["anything"]?.find({}, options)
    const controller = new AbortController()
    holdTimers()

    await findBy(() => Promise.resolve(Response.json(ANSWER)), { timeout: 60_000 })
    await errorOf(findBy(() => Promise.reject(new Error("no")), { timeout: 60_000 }))
    const options = { timeout: 60_000, signal: controller.signal }
    const found = findBy(() => new Promise(() => {}), options)
    expect(vi.getTimerCount()).toBe(1)
    controller.abort(new RangeError("enough"))

    await expect(found).rejects.toThrow(RangeError)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("does not end a stream that a route handed over", async () => {
    const events = new EventEmitter()
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("first ")
      events.once("go on", () => response.end("second"))
    })
    holdTimers()

    const response = await createClient(server).routes["stream"]?.(undefined, { timeout: 1_000 })
    vi.advanceTimersByTime(60_000)
    events.emit("go on")

    expect(await textOf(response)).toBe("first second")
  })

  test.each([0, -1, Number.NaN])("of %j is refused before anything is sent", async (timeout) => {
    await using server = await fakeServer({ body: ANSWER })

    const found = createClient(server).collections["anything"]?.find({}, { timeout })

    await expect(found).rejects.toThrow(new TypeError("timeout must be milliseconds above 0."))
    expect(server.requests).toEqual([])
  })

  test.each([Number.POSITIVE_INFINITY, 2 ** 40])("of %j is none", async (timeout) => {
    await using server = await fakeServer({ body: ANSWER })

    const client = createClient({ baseURL: server.baseURL, timeout: 1 })

    expect(await client.collections["anything"]?.find({}, { timeout })).toEqual(ANSWER)
  })
})

function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
}

function textOf(response: unknown): Promise<string> | undefined {
  return response instanceof Response ? response.text() : undefined
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
