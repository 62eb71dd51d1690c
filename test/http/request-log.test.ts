// @module-tag not-about-engine

import { EventEmitter, once } from "node:events"
import { connect } from "node:net"
import { collection, createApp, defineConfig, type KitConfig, route } from "kit"
import { testApp as startTestApp } from "kit/testing"
import { describe, expect, test } from "vitest"
import { sendRaw } from "../support/processes/raw-http.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const COMPLETED = "Request completed."
const ABORTED = "Request aborted: the client disconnected before it had the whole response."
const EVA = { user: { id: "eva", role: "member" } }

interface Line {
  readonly level: "debug" | "info" | "warn" | "error"
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A log in which a test can wait for lines. */
class Log {
  readonly lines: Line[] = []
  readonly #events = new EventEmitter()

  get logger() {
    const at =
      (level: Line["level"]) =>
      (message: string, fields: Line["fields"] = {}) => {
        this.lines.push({ level, message, fields })
        this.#events.emit("line")
      }
    return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }
  }

  /** Resolves to the lines of requests once there are so many of them. */
  async requests(count: number): Promise<readonly Line[]> {
    for (;;) {
      const found = this.lines.filter(({ message }) => message === COMPLETED || message === ABORTED)
      if (found.length >= count) return found
      await once(this.#events, "line")
    }
  }
}

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(100) }))
  .access({ read: true, create: ({ session }) => session !== null })

const events = new EventEmitter()

/** A stream whose second chunk waits for `release`. */
function twoParts(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode("first")),
    async pull(controller) {
      await once(events, "release")
      controller.enqueue(encoder.encode("last"))
      controller.close()
    },
  })
}

const routes = {
  "teams/[team]/invite": route()
    .post()
    .handler(() => "invited"),
  broken: route()
    .get()
    .handler(() => {
      throw new Error("broken")
    }),
  stream: route()
    .get()
    .raw()
    .handler(() => new Response(twoParts())),
  // Answers after its client has left.
  left: route()
    .get()
    .raw()
    .handler(async ({ request }) => {
      const left = once(request.signal, "abort")
      events.emit("held")
      await left
      return new Response("done")
    }),
}

async function loggingApp(config: KitConfig = {}): Promise<TestApp & { readonly log: Log }> {
  const log = new Log()
  const settings = { logger: log.logger, log: { requests: true }, ...config }
  return { ...(await testApp({ resources: [posts], routes, config: settings })), log }
}

describe("a request", () => {
  test("has one line, with the pattern of its path and the user, when it has been answered", async () => {
    await using app = await loggingApp()
    const created = await app.fetch("/posts", { method: "POST", body: '{"title":"One"}', session: EVA })
    const read = await app.fetch(`/posts/${created.body.id}?columns[title]=true`)

    const lines = await app.log.requests(2)

    const durationMs = expect.any(Number)
    expect(lines).toEqual([
      {
        level: "info",
        message: COMPLETED,
        fields: {
          method: "POST",
          path: "/posts",
          status: 201,
          durationMs,
          requestId: created.headers.get("x-request-id"),
          userId: "eva",
        },
      },
      {
        level: "info",
        message: COMPLETED,
        fields: {
          method: "GET",
          path: "/posts/:id",
          status: 200,
          durationMs,
          requestId: read.headers.get("x-request-id"),
        },
      },
    ])
    expect(lines.every(({ fields }) => Number(fields["durationMs"]) > 0)).toBe(true)
  })

  test.each([
    ["POST", "/teams/red-s3cret/invite?token=s3cret", { path: "/teams/:team/invite", status: 200 }],
    ["GET", "/posts/s3cret", { path: "/posts/:id", status: 404 }],
    ["GET", "/s3cret/s3cret", { path: "/:collection/:id", status: 404 }],
    ["GET", "/globals/s3cret", { path: "/globals/:name", status: 404 }],
    ["GET", "/psots/s3cret/s3cret/s3cret/s3cret", { status: 404 }],
    ["PUT", "/posts?s3cret", { status: 405 }],
    ["POST", "/posts", { path: "/posts", status: 401 }],
    ["HEAD", "/posts", { path: "/posts", status: 200 }],
    ["GET", "/", { path: "/", status: 200 }],
  ])("%s %s shows no value of the caller", async (method, path, expected) => {
    await using app = await loggingApp()

    await sendRaw(app.url, { method, path, ...(method === "POST" && { body: "{}" }), headers: JSON_BODY })

    const [line] = await app.log.requests(1)
    expect(line?.fields).toEqual({
      method,
      ...expected,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
    })
    expect(JSON.stringify(app.log.lines)).not.toContain("s3cret")
  })

  test("that is refused before it is routed has a line, too", async () => {
    await using app = await loggingApp({ limits: { rate: { perAddress: { requests: 1, windowSeconds: 60 } } } })
    const headers = { ...JSON_BODY, cookie: "a=b", origin: "https://evil.test" }

    const foreign = await sendRaw(app.url, { method: "POST", path: "/posts", body: "{}", headers })
    await app.fetch("/posts")
    const limited = await app.fetch("/posts")

    const [first, , last] = await app.log.requests(3)
    expect(first?.fields).toMatchObject({ status: 403, requestId: foreign.headers["x-request-id"] })
    expect(last?.fields).toMatchObject({ status: 429, requestId: limited.headers.get("x-request-id") })
  })

  test("whose stream is open has its line when the stream ends", async () => {
    await using app = await loggingApp()
    const response = await fetch(`${app.url}/stream`)
    const reader = response.body?.getReader()
    await reader?.read()
    expect(app.log.lines).toEqual([])

    events.emit("release")
    await reader?.read()

    expect(await app.log.requests(1)).toMatchObject([{ message: COMPLETED, fields: { path: "/stream", status: 200 } }])
  })

  test("whose client disconnects has a line that says so", async () => {
    await using app = await loggingApp()
    const { hostname, port } = new URL(app.url)
    const held = once(events, "held")
    const leaving = new AbortController()
    const stream = await fetch(`${app.url}/stream`, { signal: leaving.signal })
    const socket = connect(Number(port), hostname)
    socket.write("GET /api/left HTTP/1.1\r\nhost: localhost\r\n\r\n")
    await held

    leaving.abort()
    socket.destroy()

    await expect(stream.text()).rejects.toThrow()
    const lines = await app.log.requests(2)
    expect(lines.map(({ message }) => message)).toEqual([ABORTED, ABORTED])
    expect(lines.map(({ fields }) => fields["path"]).sort()).toEqual(["/left", "/stream"])
  })

  test("for live queries has its line when the client leaves", async () => {
    await using app = await loggingApp()
    const body = JSON.stringify({ topics: [{ id: "a", resourceType: "collection", resource: "posts" }] })
    const leaving = new AbortController()
    const init = { method: "POST", body, headers: JSON_BODY, signal: leaving.signal }
    const stream = await fetch(`${app.url}/realtime`, init)
    await stream.body?.getReader().read()
    expect(app.log.lines).toEqual([])

    leaving.abort()

    expect(await app.log.requests(1)).toMatchObject([
      { message: ABORTED, fields: { method: "POST", path: "/realtime", status: 200 } },
    ])
  })

  test("that is answered before its long body has arrived counts as completed", async () => {
    await using app = await loggingApp()

    const refused = await sendRaw(app.url, {
      method: "POST",
      path: "/posts",
      body: "x".repeat(2_000_000),
      headers: { ...JSON_BODY, cookie: "" },
    })

    expect(refused.status).toBe(413)
    expect(await app.log.requests(1)).toMatchObject([{ message: COMPLETED, fields: { status: 413 } }])
  })

  test("in a host with web-standard requests has its line, a stream at its end", async () => {
    await using app = await loggingApp()
    const { handler } = app.app

    const plain = await handler(new Request("http://localhost/api/posts"))
    const stream = await handler(new Request("http://localhost/api/stream"))
    const cut = await handler(new Request("http://localhost/api/stream"))
    const before = app.log.lines.length
    const text = stream.text()
    await cut.body?.cancel()
    events.emit("release")

    expect([plain.status, before, await text]).toEqual([200, 1, "firstlast"])
    const lines = await app.log.requests(3)
    expect(lines.map(({ message, fields }) => [message, fields["path"]])).toEqual([
      [COMPLETED, "/posts"],
      [ABORTED, "/stream"],
      [COMPLETED, "/stream"],
    ])
  })

  test("of a probe or a preflight is for debugging only", async () => {
    await using app = await loggingApp()

    for (const path of ["/health", "/_kit/health", "/_kit/ready"]) await app.fetch(path)
    await app.fetch("/posts", { method: "OPTIONS" }).catch(() => {})

    const lines = await app.log.requests(4)
    expect(lines.map(({ level, fields }) => [level, fields["path"]])).toEqual([
      ["debug", "/health"],
      ["debug", "/_kit/health"],
      ["debug", "/_kit/ready"],
      ["debug", undefined],
    ])
  })

  test("needs no debug level in the author's logger", async () => {
    const { debug: _, ...logger } = new Log().logger
    await using app = await loggingApp({ logger })

    expect((await app.fetch("/health")).status).toBe(200)
  })
})

describe("log.requests", () => {
  test("false turns the lines off, and failures are still logged", async () => {
    await using app = await loggingApp({ log: { requests: false } })

    await app.fetch("/posts")
    await app.fetch("/broken")

    expect(app.log.lines.map(({ level, message }) => [level, message])).toEqual([["error", "A request failed."]])
  })

  test("with a sample logs a share of the requests, and all failures", async () => {
    await using app = await loggingApp({ log: { requests: { sample: 0.5 } } })
    const ok = new Request("http://localhost/api/posts")
    const broken = new Request("http://localhost/api/broken")

    for (let count = 0; count < 400; count++) await app.app.handler(ok)
    const sampled = app.log.lines.length
    for (let count = 0; count < 20; count++) await app.app.handler(broken)

    // The number of 400 coin flips is outside of these bounds once in more than 10^15 runs.
    expect(sampled).toBeGreaterThan(120)
    expect(sampled).toBeLessThan(280)
    const failures = app.log.lines.filter(({ message, fields }) => message === COMPLETED && fields["status"] === 500)
    expect(failures).toHaveLength(20)
  })

  test.each([0, 1.5, "half", null])("cannot have the sample %j", async (sample) => {
    const config = defineConfig({ log: { requests: { sample: sample as number } } })

    const started = createApp({ resources: [], config, root: "/nowhere" })

    await expect(started).rejects.toThrow(
      'the setting "log.requests" must be true, false, or { sample: 0.1 } with a number above 0 and up to 1.',
    )
  })

  test("is off in a test that does not set it", async () => {
    await using quiet = await startTestApp({ collections: [posts] })
    await using loud = await startTestApp({ collections: [posts], config: { log: { requests: true } } })

    for (const app of [quiet, loud]) await (await app.fetch("/posts")).text()

    expect(quiet.logs).toEqual([])
    await expect
      .poll(() => loud.logs)
      .toMatchObject([{ level: "info", message: COMPLETED, fields: { path: "/posts" } }])
  })
})

const JSON_BODY = { "content-type": "application/json" }
