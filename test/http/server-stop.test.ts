// @module-tag not-about-engine

import { once } from "node:events"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { collection, startNodeServer } from "kit"
import pg from "pg"
import { describe, expect, test } from "vitest"
import { readAnswer } from "../support/processes/raw-http.ts"
import { testApp } from "../support/worlds/test-app.ts"

type Handle = Parameters<typeof startNodeServer>[0]

const HEAD = "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n"
const AT_ONCE_MS = 1_000
const LONG_DRAIN_MS = 2_000
const answerAtOnce: Handle = () => Promise.resolve({ status: 200, headers: {}, body: "done" })

/** A handler whose answers wait for `release`; `entered` resolves when the first request has started. */
function heldHandler() {
  let release = () => {}
  let enter = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const handle: Handle = async () => {
    enter()
    await released
    return { status: 200, headers: {}, body: "done" }
  }
  return { handle, release, entered }
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  return socket
}

// A connection may be closed by a reset, which emits an error and a close.
function closing(socket: Socket): Promise<unknown> {
  socket.resume().on("error", () => {})
  return new Promise((resolve) => socket.once("close", resolve))
}

const start = (handle: Handle, options = {}) => startNodeServer(handle, { port: 0, host: "127.0.0.1", ...options })

describe("a stop", () => {
  test("lets a request under way finish and closes its connection", async () => {
    const { handle, release, entered } = heldHandler()
    const server = await start(handle)
    const socket = await openSocket(server.port)
    const answer = readAnswer(socket)
    socket.write(HEAD)
    await entered

    const stopped = server.stop()
    release()
    await stopped

    expect(await answer).toMatchObject({ status: 200, text: "done", headers: { connection: "close" } })
  })

  test("lets a request finish that waits for the database", async () => {
    const things = collection("things")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ read: true })
    await using app = await testApp({ resources: [things] })
    const server = await start(app.app.handle)
    const holder = new pg.Client({ connectionString: app.database.url })
    await holder.connect()
    await holder.query("begin; lock table things in access exclusive mode")
    const answer = fetch(`http://127.0.0.1:${server.port}/api/things`)
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    while ((await app.database.query(waiting)).length === 0);

    const stopped = server.stop()
    await holder.end()
    await stopped

    expect((await answer).status).toBe(200)
  })

  test("refuses new connections while it waits", async () => {
    const { handle, release, entered } = heldHandler()
    const server = await start(handle)
    const socket = await openSocket(server.port)
    socket.write(HEAD)
    await entered

    const stopped = server.stop()
    const late = connect(server.port, "127.0.0.1")
    const [error] = await once(late, "error")

    expect(error.code).toBe("ECONNREFUSED")
    release()
    await stopped
  })

  test("takes no further request on a connection whose request it lets finish", async () => {
    const { handle, release, entered } = heldHandler()
    let calls = 0
    const server = await start((call) => {
      calls += 1
      return handle(call)
    })
    const socket = await openSocket(server.port)
    const answer = readAnswer(socket)
    socket.write(HEAD)
    await entered

    const stopped = server.stop()
    release()
    await answer
    socket.write(HEAD)
    await stopped

    expect(calls).toBe(1)
  })

  test("closes connections that are kept alive, at once", async () => {
    const ms = await leastStopMs(async (port) => {
      const agent = new Agent({ keepAlive: true })
      const sent = request({ port, host: "127.0.0.1", agent }).end()
      const [answer] = await once(sent, "response")
      const { socket } = answer
      answer.resume()
      await once(answer, "end")
      return socket
    })

    expect(ms).toBeLessThan(AT_ONCE_MS)
  })

  test.each([
    ["nothing", ""],
    ["half a head", "GET / HTTP/1.1\r\nho"],
  ])("does not wait for a connection that has sent %s", async (_name, bytes) => {
    const ms = await leastStopMs(async (port) => {
      const socket = await openSocket(port)
      await new Promise<unknown>((resolve) => socket.write(bytes, resolve))
      return socket
    })

    expect(ms).toBeLessThan(AT_ONCE_MS)
  })

  test("does not wait for the rest of a request behind one that is answered", async () => {
    const ms = await leastStopMs(async (port) => {
      const socket = await openSocket(port)
      socket.write(`${HEAD}GET / HTT`)
      await once(socket, "data")
      return socket
    })

    expect(ms).toBeLessThan(AT_ONCE_MS)
  })

  test("cuts off a request that does not finish in time", async () => {
    const { handle, release, entered } = heldHandler()
    const server = await start(handle, { stopTimeoutMs: 100 })
    const socket = await openSocket(server.port)
    const answer = readAnswer(socket)
    const outcome = answer.catch((error: Error) => error.message)
    socket.write(HEAD)
    await entered

    const ms = await timed(server.stop())

    expect(await outcome).toContain("closed without a whole answer")
    expect(ms).toBeGreaterThanOrEqual(95)
    release()
  })

  test("may be asked for twice", async () => {
    const server = await start(answerAtOnce)

    await Promise.all([server.stop(), server.stop()])
    await server.stop()

    await expect(openSocket(server.port)).rejects.toThrow("ECONNREFUSED")
  })
})

describe("a drain", () => {
  test("answers on a kept connection, and closes it with that answer", async () => {
    const server = await start(answerAtOnce)
    const socket = await openSocket(server.port)
    const answers = readAnswers(socket)
    socket.write(HEAD)
    await once(socket, "data")

    const drained = server.drain(LONG_DRAIN_MS)
    socket.write(HEAD)

    expect(await answers).toEqual([
      expect.stringMatching(/^connection: keep-alive\r/im),
      expect.stringMatching(/^connection: close\r/im),
    ])
    await Promise.race([drained, server.stop()])
  })

  test("accepts new connections, and answers one request on each", async () => {
    const server = await start(answerAtOnce)
    const drained = server.drain(LONG_DRAIN_MS)

    const socket = await openSocket(server.port)
    const answer = readAnswer(socket)
    socket.write(HEAD)

    expect(await answer).toMatchObject({ status: 200, headers: { connection: "close" } })
    await Promise.race([drained, server.stop()])
  })

  test("leaves idle connections open; the stop after it closes them without a reset", async () => {
    const server = await start(answerAtOnce)
    const socket = await openSocket(server.port)
    socket.write(HEAD)
    await once(socket, "data")
    await server.drain(10)
    expect(socket.readyState).toBe("open")

    const closed = once(socket, "close")
    socket.resume()
    await server.stop()

    const [hadError] = await closed
    expect(hadError).toBe(false)
  })

  test("is followed by a stop that runs no request which could not be answered", async () => {
    let calls = 0
    const server = await start((call) => {
      calls += 1
      return answerAtOnce(call)
    })
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true })
    socket.write(HEAD)
    await once(socket, "data")
    await server.drain(10)

    const stopped = server.stop()
    socket.resume()
    await once(socket, "end")
    socket.end(HEAD)
    await stopped

    expect(calls).toBe(1)
  })

  test("gives a connection without a request the time for its first one", async () => {
    const server = await start(answerAtOnce)
    const socket = await openSocket(server.port)
    await server.drain(10)

    const stopped = server.stop()
    const answer = readAnswer(socket)
    socket.write(HEAD)

    expect(await answer).toMatchObject({ status: 200, headers: { connection: "close" } })
    await stopped
  })
})

describe("a server", () => {
  test("keeps an idle connection for longer than most who reuse one, so that none is closed under a request", async () => {
    const server = await start(answerAtOnce)

    const answer = await fetch(`http://127.0.0.1:${server.port}/`)

    expect(answer.headers.get("keep-alive")).toBe("timeout=65")
    await server.stop()
  })

  test("reports that its port is taken", async () => {
    const server = await start(answerAtOnce)

    const second = start(answerAtOnce, { port: server.port })

    await expect(second).rejects.toThrow("EADDRINUSE")
    await server.stop()
  })

  test("tells a handler that the client has gone, also one that asks for the body only then", async () => {
    let tell = (_body: Uint8Array | null) => {}
    const told = new Promise<Uint8Array | null>((resolve) => {
      tell = resolve
    })
    const { handle, release, entered } = heldHandler()
    const server = await start(async (call) => {
      if (call.path === "/ping") return answerAtOnce(call)
      const answer = await handle(call)
      tell(await call.readBody(1_000))
      return answer
    })
    const socket = await openSocket(server.port)
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12345")
    await entered
    socket.destroy()
    // When this request is answered, the server has processed everything before it.
    await fetch(`http://127.0.0.1:${server.port}/ping`)

    release()

    expect(await told).toBeNull()
    await server.stop()
  })

  test("outlives a handler that fails: only the connection of that request ends", async () => {
    const server = await start((call) => {
      if (call.path === "/slow") throw new Error("a handler that breaks its promise")
      return answerAtOnce(call)
    })
    const broken = await openSocket(server.port)
    const outcome = readAnswer(broken).catch((error: Error) => error.message)
    broken.write(HEAD)

    expect(await outcome).toContain("closed without a whole answer")
    expect((await fetch(`http://127.0.0.1:${server.port}/fine`)).status).toBe(200)
    await server.stop()
  })
})

/** Reads until the server closes the connection; resolves to the text of each answer. */
async function readAnswers(socket: Socket): Promise<string[]> {
  let text = ""
  socket.on("data", (bytes) => {
    text += bytes
  })
  await once(socket, "close")
  return text.split(/(?=HTTP\/1.1 )/)
}

/** Returns the minimum duration of a stop while this connection is open; on a busy machine some take longer. */
async function leastStopMs(connect: (port: number) => Promise<Socket>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 10 && leastMs >= AT_ONCE_MS; tries++) {
    const server = await start(answerAtOnce)
    const closed = closing(await connect(server.port))
    leastMs = Math.min(leastMs, await timed(server.stop()))
    await closed
  }
  return leastMs
}

async function timed(work: Promise<void>): Promise<number> {
  const start = performance.now()
  await work
  return performance.now() - start
}
