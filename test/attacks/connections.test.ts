// @module-tag not-about-engine

import { connect } from "node:net"
import { startNodeServer } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { exchange, type RawAnswer, readAnswer, sendRaw } from "../support/processes/raw-http.ts"
import { type AttackWorld, attackWorld, checkAnswer, fingerprint } from "../support/worlds/attack-world.ts"

const HEADERS_TIMEOUT_MS = 300
const REQUEST_TIMEOUT_MS = 600
const DRIP_MS = 50

let world: AttackWorld
let server: Awaited<ReturnType<typeof startNodeServer>>
beforeAll(async () => {
  world = await attackWorld()
  const timeouts = { headersTimeoutMs: HEADERS_TIMEOUT_MS, requestTimeoutMs: REQUEST_TIMEOUT_MS }
  server = await startNodeServer(world.app.app.handle, { port: 0, host: "127.0.0.1", ...timeouts })
})
afterAll(async () => {
  await server.stop()
  await world[Symbol.asyncDispose]()
})

const address = () => ({ hostname: "127.0.0.1", port: server.port })
const url = () => `http://127.0.0.1:${server.port}/api`

/** Sends the opening in one piece and then byte by byte, until the server closes the connection. */
async function drip(opening: string) {
  const socket = connect(server.port, "127.0.0.1")
  socket.write(opening)
  const timer = setInterval(() => socket.write("a"), DRIP_MS)
  const answer = await readAnswer(socket)
  clearInterval(timer)
  return { ...answer, ms: 0 }
}

/** Retries: on a machine that stalls for longer than these timeouts, every client is a slow client. */
async function sendInTime(path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const answer = await sendRaw(url(), { path, headers })
  return answer.status === 408 ? sendInTime(path, headers) : answer
}

/** As `sendInTime`, but sends raw bytes. */
async function exchangeInTime(bytes: Uint8Array): Promise<RawAnswer> {
  const answer = await exchange(address(), bytes)
  return answer.status === 408 ? exchangeInTime(bytes) : answer
}

describe("slow clients", () => {
  const head = "POST /api/posts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"

  test.each([
    ["headers", `${head}x-slow: `, HEADERS_TIMEOUT_MS],
    ["a body", `${head}content-length: 100000\r\n\r\n{`, REQUEST_TIMEOUT_MS],
    ["a body in chunks", `${head}transfer-encoding: chunked\r\n\r\nfffff\r\n`, REQUEST_TIMEOUT_MS],
  ])("20 connections that drip %s are cut off in time and disturb nobody", async (_name, opening, timeoutMs) => {
    const before = await fingerprint(world.app)

    const slow = Promise.all(Array.from({ length: 20 }, () => drip(opening)))
    const others = []
    for (let count = 0; count < 20; count++) others.push(await sendInTime("/posts"))
    const answers = await slow

    for (const answer of answers) {
      checkAnswer(answer)
      expect(answer.status).toBe(408)
    }
    for (const other of others) expect(other.status).toBe(200)
    expect(Math.min(...others.map(({ ms }) => ms))).toBeLessThan(timeoutMs)
    expect(await fingerprint(world.app)).toEqual(before)
  })

  test("a connection that never sends anything is closed", async () => {
    const socket = connect(server.port, "127.0.0.1")

    const answer = await readAnswer(socket)

    expect(answer.status).toBe(408)
  })
})

describe("requests that Node cannot read", () => {
  test.each([
    ["an unknown method", "FOO /api/posts HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["an unknown version", "GET /api/posts HTTP/9.9\r\nhost: x\r\n\r\n"],
    ["no host", "GET /api/posts HTTP/1.1\r\n\r\n"],
    ["a tunnel", "CONNECT db.internal:5432 HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["no HTTP at all", "hello\r\n\r\n"],
    ["the hello of TLS", "\u0016\u0003\u0001\u0002\u0000\u0001"],
    ["a space in the path", "GET /api/posts?search=a b HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a control character in a header", "GET /api/posts HTTP/1.1\r\nhost: x\r\nx-a: a\u0001b\r\n\r\n"],
    ["raw bytes in the path", "GET /api/posts?search=\u00ff HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["the opening of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("%s is refused in JSON", async (_name, bytes) => {
    const answer = await exchangeInTime(Buffer.from(bytes, "latin1"))

    checkAnswer(answer)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } })
  })

  test.each([
    ["an expectation that nobody knows", { expect: "the-unexpected" }],
    ["an upgrade that nobody offers", { upgrade: "websocket" }],
    [
      "a forwarded host and scheme",
      { "x-forwarded-host": "evil.test", "x-forwarded-proto": "gopher", "x-original-url": "/admin" },
    ],
  ])("%s changes nothing", async (_name, headers) => {
    const answer = await sendInTime("/posts", headers)

    checkAnswer(answer)
    expect(answer.status).toBe(200)
  })

  test("the absolute form of a target and another host lead nowhere else", async () => {
    const bytes = "GET http://127.0.0.1:1/api/posts HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n"

    const answer = await exchangeInTime(Buffer.from(bytes))

    checkAnswer(answer)
    expect([200, 404]).toContain(answer.status)
  })

  test("rubbish behind a request does not take the place of its answer", async () => {
    const bytes = "GET /api/posts/count HTTP/1.1\r\nhost: x\r\n\r\nrubbish\r\n\r\n"

    const answer = await exchangeInTime(Buffer.from(bytes))

    expect(answer).toMatchObject({ status: 200, body: { count: 2 } })
  })

  test("a body that is longer than it says is not taken for a request", async () => {
    const smuggled = "DELETE /api/posts HTTP/1.1\r\nhost: x\r\n\r\n"
    const bytes = `POST /api/nope HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${smuggled.length}\r\nconnection: close\r\n\r\n${smuggled}`

    const answer = await exchangeInTime(Buffer.from(bytes))

    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } })
  })
})
