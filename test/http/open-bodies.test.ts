// @module-tag not-about-engine

import { once } from "node:events"
import { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import { answerNodeRequest, startNodeServer } from "kit"
import { afterEach, describe, expect, test, vi } from "vitest"
import { decodeChunks } from "../support/processes/decode-chunks.ts"

type Handle = Parameters<typeof startNodeServer>[0]
type OpenBody = Extract<Awaited<ReturnType<Handle>>["body"], { discard(): void }>
type Outlet = Parameters<OpenBody["open"]>[0]

const WAIT = { timeout: 60_000 }
const SHARED = Buffer.from("for many: é\n")

/** Something to be stopped at the end of a test. */
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of opened.splice(0).reverse()) await stop()
})

interface OpenedOutlet {
  readonly outlet: Outlet
  drains: number
  onDrained(): void
  isClosed: boolean
}

/** A handler whose answers stay open at `/open`; elsewhere it answers the path. */
function openHandler() {
  const outlets: OpenedOutlet[] = []
  const open: OpenBody["open"] = (outlet) => {
    const one: OpenedOutlet = { outlet, drains: 0, onDrained: () => {}, isClosed: false }
    outlets.push(one)
    return {
      onDrained: () => {
        one.drains++
        one.onDrained()
      },
      onClosing: () => outlet.end(),
      onClosed: () => {
        one.isClosed = true
      },
    }
  }
  const handle: Handle = ({ path }) => {
    const body = path === "/open" ? { open, discard: () => {} } : path
    return { status: 200, headers: { "content-type": "text/plain" }, body }
  }
  return { outlets, handle }
}

/** kit's own server. */
async function ownServer() {
  const { outlets, handle } = openHandler()
  const server = await startNodeServer(handle, { port: 0, host: "127.0.0.1" })
  opened.push(() => server.stop())
  return { outlets, port: server.port }
}

/** A server of somebody else, as inside a host framework. */
async function hostServer() {
  const { outlets, handle } = openHandler()
  const server = createServer((request, response) => answerNodeRequest(handle, { request, response }))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  opened.push(() => server.close())
  const address = server.address()
  return { outlets, port: address !== null && typeof address === "object" ? address.port : 0 }
}

interface Reader {
  readonly socket: Socket
  /** The bytes after the head of the answer. */
  body(): Buffer
  head(): string
}

/** Sends the text, and collects what comes back. */
function ask(port: number, text: string): Reader {
  const socket = connect(port, "127.0.0.1")
  opened.push(() => socket.destroy())
  const received: Buffer[] = []
  socket.on("data", (chunk) => received.push(chunk))
  socket.write(text)
  const answer = () => {
    const all = Buffer.concat(received)
    const end = all.indexOf("\r\n\r\n")
    return end < 0
      ? { head: "", body: Buffer.alloc(0) }
      : { head: String(all.subarray(0, end)), body: all.subarray(end + 4) }
  }
  return { socket, head: () => answer().head.toLowerCase(), body: () => answer().body }
}

const request = (version: string, method = "GET", path = "/open") =>
  `${method} ${path} HTTP/${version}\r\nhost: 127.0.0.1\r\n\r\n`

const untilOpen = (outlets: readonly OpenedOutlet[], count: number) =>
  vi.waitFor(() => expect(outlets).toHaveLength(count), WAIT)

describe.each([
  ["kit's own server", ownServer],
  ["a host's server", hostServer],
])("a body that stays open, on %s,", (_name, start) => {
  test("is the same for all clients, in the order in which it was written", async () => {
    const { outlets, port } = await start()
    const [first, second, old] = ["1.1", "1.1", "1.0"].map((version) => ask(port, request(version)))
    await untilOpen(outlets, 3)
    const empty = new Uint8Array()
    const beginning = `first\n${SHARED}a part and a second\n${SHARED}`

    for (const { outlet } of outlets) {
      outlet.write("first\n")
      outlet.write(SHARED)
      outlet.write("a part ", Buffer.from("and a second\n"))
      outlet.write(empty)
      outlet.write(SHARED)
    }
    await vi.waitFor(() => expect(String(old?.body())).toBe(beginning), WAIT)
    for (const { outlet } of outlets) {
      outlet.write(SHARED)
      outlet.end()
    }

    await vi.waitFor(() => expect(outlets.every(({ isClosed }) => isClosed)).toBe(true), WAIT)
    const text = beginning + String(SHARED)
    await vi.waitFor(() => expect(String(old?.body())).toBe(text), WAIT)
    for (const reader of [first, second]) {
      await vi.waitFor(() => expect(decodeChunks(reader?.body() ?? "")).toEqual({ text, isComplete: true }), WAIT)
      expect(reader?.head()).toContain("transfer-encoding: chunked")
    }
    expect(old?.head()).not.toContain("transfer-encoding")
  })

  test("has no bytes for HEAD", async () => {
    const { outlets, port } = await start()
    const reader = ask(port, request("1.1", "HEAD") + request("1.1", "GET", "/after"))
    await untilOpen(outlets, 1)

    outlets[0]?.outlet.write(SHARED)
    outlets[0]?.outlet.end()

    await vi.waitFor(() => expect(String(reader.body())).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\/after$/s), WAIT)
  })

  test("leaves its connection to the next request", async () => {
    const { outlets, port } = await start()
    // Both requests are sent together, so that the second answer waits for the end of the first.
    const reader = ask(port, request("1.1") + request("1.1"))
    await untilOpen(outlets, 2)

    outlets[1]?.outlet.write(SHARED)
    outlets[0]?.outlet.write(SHARED)
    outlets[0]?.outlet.end()
    await vi.waitFor(() => expect(outlets[0]?.isClosed).toBe(true), WAIT)
    outlets[0]?.outlet.write(SHARED)
    outlets[1]?.outlet.write(SHARED)
    outlets[1]?.outlet.end()

    await vi.waitFor(() => expect(outlets[1]?.isClosed).toBe(true), WAIT)
    const [first = "", second = ""] = String(reader.body()).split(/HTTP\/1\.1 200 .*?\r\n\r\n/s)
    expect(decodeChunks(first)).toEqual({ text: String(SHARED), isComplete: true })
    expect(decodeChunks(second)).toEqual({ text: `${SHARED}${SHARED}`, isComplete: true })
  })

  test("reports each time that a client has caught up, once, and loses nothing", async () => {
    const { outlets, port } = await start()
    const reader = ask(port, request("1.1"))
    await untilOpen(outlets, 1)
    const [one] = outlets
    if (!one) throw new Error("No answer was opened.")
    const large = Buffer.alloc(1024 * 1024, "x")
    let written = 0
    /** Stops reading, and writes more than the buffers of the operating system take, and a short text. */
    const fill = () => {
      reader.socket.pause()
      for (let count = 0; count < 16; count++, written++) one.outlet.write(large)
      expect(one.outlet.write("short\n")).toBe(false)
    }

    fill()
    // The body's owner writes more as soon as the client has caught up.
    one.onDrained = () => one.drains === 1 && fill()
    reader.socket.resume()
    await vi.waitFor(() => expect(one.drains).not.toBe(0), WAIT)
    expect(one.drains).toBe(1)
    reader.socket.resume()
    await vi.waitFor(() => expect(one.drains).toBe(2), WAIT)
    one.outlet.end()

    await vi.waitFor(() => expect(one.isClosed).toBe(true), WAIT)
    await vi.waitFor(() => expect(decodeChunks(reader.body()).isComplete).toBe(true), WAIT)
    const parts = decodeChunks(reader.body()).text.split("short\n")
    expect(parts.map(({ length }) => length > 0)).toEqual([true, true, false])
    expect(parts.join("")).toHaveLength(written * large.length)
    expect(one.drains).toBe(2)
  })

  test("is written to nobody once the client has left", async () => {
    const { outlets, port } = await start()
    const reader = ask(port, request("1.1"))
    await untilOpen(outlets, 1)

    reader.socket.destroy()
    await vi.waitFor(() => expect(outlets[0]?.isClosed).toBe(true), WAIT)

    expect(outlets[0]?.outlet.write(SHARED)).toBe(true)
  })
})
