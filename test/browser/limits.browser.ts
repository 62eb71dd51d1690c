import { EventEmitter, once } from "node:events"
import { collection, route } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type BrowserWorld, browserWorld, type OpenPage } from "./support/browser-world.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(20).required() }))
  .access({ read: true, create: true })

/** Emits events about the requests that are never answered. */
const requests = new EventEmitter()

const routes = {
  never: route()
    .access(true)
    .handler(({ request }) => {
      requests.emit("came")
      request.signal.addEventListener("abort", () => requests.emit("left"))
      return new Promise<void>(() => {})
    }),
  endless: route()
    .access(true)
    .handler(() => {
      const body = new ReadableStream<string>({
        start: (stream) => {
          stream.enqueue("the start")
          requests.once("more", (text: string) => stream.enqueue(text))
        },
        cancel: () => void requests.emit("cancelled"),
      })
      return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { "content-type": "text/plain" } })
    }),
}

let world: BrowserWorld
let opened: OpenPage

beforeAll(async () => {
  world = await browserWorld({ collections: [posts], routes })
  opened = await world.open()
})

afterAll(() => world[Symbol.asyncDispose]())

describe("a call of a page", () => {
  test("is ended by its signal, with the reason of the signal, and the server hears of it", async () => {
    const came = once(requests, "came")
    const left = once(requests, "left")
    await opened.kit.evaluate(({ client, kept }) => {
      const controller = new AbortController()
      const ended = client.routes.never({}, { signal: controller.signal }).catch((error: unknown) => error)
      Object.assign(kept, { controller, ended })
    })
    await came

    const reason = await opened.kit.evaluate(async ({ kept }) => {
      const { controller, ended } = kept
      controller.abort()
      const error = await ended
      return {
        isReason: error === controller.signal.reason,
        name: error.name,
        isException: error instanceof DOMException,
      }
    })
    await left

    expect(reason).toEqual({ isReason: true, name: "AbortError", isException: true })
  })

  test("is not sent with a signal that is aborted already", async () => {
    const reason = await opened.kit.evaluate(({ client }) =>
      client.collections["posts"]
        .create({ title: "Never" }, { signal: AbortSignal.abort("too late") })
        .catch((error: unknown) => error),
    )

    expect(reason).toBe("too late")
    expect(await world.database.query("select title from posts")).toEqual([])
  })

  test.each([
    ["its time is over", { settings: {}, options: { timeout: 30_000 } }],
    ["the time is over that the client gives each call", { settings: { timeout: 30_000 }, options: {} }],
  ])("ends when %s, and the server hears of it", async (_time, call) => {
    const { page, kit } = await world.open({ hasClock: true })
    const came = once(requests, "came")
    const left = once(requests, "left")
    await kit.evaluate(({ newClient, kept }, { settings, options }) => {
      kept["ended"] = newClient(settings)
        .routes.never({}, options)
        .catch((error: unknown) => error)
    }, call)
    await came

    await page.clock.fastForward(30_000)
    const failure = await kit.evaluate(async ({ kept, QuestpieClientError }) => {
      const error = await kept["ended"]
      return error instanceof QuestpieClientError && { code: error.code, status: error.status, message: error.message }
    })
    await left

    expect(failure).toMatchObject({ code: "TIMEOUT", status: 0, message: expect.stringContaining("within 30000 ms") })
  })

  test("hands a response over that only its signal ends, however long it goes on", async () => {
    const { page, kit } = await world.open({ hasClock: true })
    const cancelled = once(requests, "cancelled")
    const read = () =>
      kit.evaluate(async ({ kept }) => {
        const { value } = await kept["reader"].read()
        return new TextDecoder().decode(value)
      })
    await kit.evaluate(async ({ client, kept }) => {
      const controller = new AbortController()
      const response = await client.routes.endless({}, { signal: controller.signal, timeout: 60_000 })
      Object.assign(kept, { controller, reader: response.body.getReader() })
    })

    const start = await read()
    await page.clock.fastForward(120_000)
    requests.emit("more", "and more")
    const more = await read()
    const end = await kit.evaluate(({ kept }) => {
      kept["controller"].abort()
      return kept["reader"].read().catch((error: Error) => error.name)
    })
    await cancelled

    expect([start, more, end]).toEqual(["the start", "and more", "AbortError"])
  })
})
