// @module-tag experiment
// @module-tag full-count

import { EventEmitter, once } from "node:events"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { setTimeout as delay } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import { count } from "../support/count.ts"
import { freePort } from "../support/processes/free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const RESTARTS = count({ short: 6, long: 20 })
const AGENT_CLIENTS = 8
const RAW_CLIENTS = 8
const IDLE_SOCKETS = 10
const MAX_PAUSE_MS = 600
const MAX_EXIT_MS = 10_000
const PATIENCE_MS = count({ short: 300_000, long: 1_800_000 })
const WAIT = { timeout: 60_000, interval: 10 }

const FILES = {
  "src/collections/notes.ts": `
    import { collection } from "kit"
    export default collection("notes").fields(({ f }) => ({ text: f.text() })).access({ read: true, create: true })`,
}

test(
  "SIGTERM under keep-alive load resets no open connection and cuts off no answer",
  async () => {
    const database = await createTestDatabase()
    const folder = await appFolder(FILES)
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]()
      await database.drop()
    })
    const port = await freePort()
    const random = seededRandom()
    const counts = {
      answers: 0,
      lastAnswers: 0,
      notReady: 0,
      refusals: 0,
      unaccepted: 0,
      resets: [] as string[],
      cut: [] as string[],
    }
    const exitMs: number[] = []

    for (let number = 0; number < RESTARTS; number++) {
      const server = await startServer(port, folder, database)
      const load = new Load({ port, random, counts })
      const idle = await Promise.all(Array.from({ length: IDLE_SOCKETS }, () => openIdle(port)))
      const before = counts.answers
      await vi.waitFor(() => expect(counts.answers).toBeGreaterThan(before + 100), WAIT)
      const toldAt = performance.now()
      const ended = server.stop()
      await firstNotReady(port, counts)
      expect(await ended, server.output).toBe(0)
      exitMs.push(Math.round(performance.now() - toldAt))
      await load.end()
      for (const { closed } of idle) counts.resets.push(...(await closed))
    }

    const note = JSON.stringify({ ...counts, exitMs, seed: random.seed })
    console.log(note)
    expect(counts, note).toMatchObject({ resets: [], cut: [], notReady: RESTARTS })
    expect(counts.lastAnswers, note).toBeGreaterThan(RESTARTS * RAW_CLIENTS)
    expect(Math.max(...exitMs), note).toBeLessThan(MAX_EXIT_MS)
  },
  PATIENCE_MS,
)

async function startServer(port: number, folder: AppFolder, database: TestDatabase): Promise<KitProcess> {
  const secret = "a secret for tests only, of 32 characters"
  const env = { DATABASE_URL: database.url, KIT_SECRET: secret, KIT_DRAIN_MS: "" }
  const server = new KitProcess(["start", "--port", String(port)], { cwd: folder.path, env })
  onTestFinished(() => server.kill())
  await server.printed(/ready in/)
  return server
}

/** Asks until the server is not ready any more. It must still accept connections then. */
async function firstNotReady(port: number, counts: { notReady: number }): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/_kit/ready`).catch(() => undefined)
    if (answer?.status === 503) counts.notReady++
    if (answer?.status !== 200) return
    await answer.arrayBuffer()
  }
}

/** Opens a connection that is used once. `closed` resolves to the errors with which the server has closed it. */
async function openIdle(port: number): Promise<{ closed: Promise<readonly string[]> }> {
  const socket = connect(port, "127.0.0.1")
  const errors: string[] = []
  socket.once("error", (error) => errors.push(`an idle connection: ${error.message}`))
  const closed = new Promise<readonly string[]>((resolve) => socket.once("close", () => resolve(errors)))
  socket.write(HEAD)
  await once(socket, "data")
  return { closed }
}

const HEAD = "GET /api/notes?limit=1 HTTP/1.1\r\nhost: localhost\r\n\r\n"

interface Counts {
  answers: number
  /** The number of answers that announced the end of their connection. */
  lastAnswers: number
  refusals: number
  /** The number of new connections that the server had not accepted when it closed its listener. */
  unaccepted: number
  readonly resets: string[]
  readonly cut: string[]
}

interface LoadOptions {
  readonly port: number
  readonly random: SeededRandom
  readonly counts: Counts
}

/** Clients that send one request after another over kept connections, until the server refuses new connections. */
class Load {
  readonly #options: LoadOptions
  readonly #agent = new Agent({ keepAlive: true })
  readonly #clients: Promise<void>[]

  constructor(options: LoadOptions) {
    this.#options = options
    this.#clients = [
      ...Array.from({ length: AGENT_CLIENTS }, () => this.#askWithAgent()),
      ...Array.from({ length: RAW_CLIENTS }, (_, client) => this.#askRaw(client)),
    ]
  }

  /** Resolves when all clients have been refused. */
  async end(): Promise<void> {
    await Promise.all(this.#clients)
    this.#agent.destroy()
  }

  async #askWithAgent(): Promise<void> {
    const { counts } = this.#options
    for (;;) {
      const { outcome, isReused } = await this.#post()
      if (outcome === "answered") counts.answers++
      else if (outcome === "cut off") counts.cut.push("an answer to a client with an agent")
      else if (isReused) counts.resets.push(`a client with an agent: ${outcome}`)
      else return void this.#countRefusal(outcome)
      await this.#pause(20)
    }
  }

  #pause(maxMs: number): Promise<void> {
    return delay(this.#options.random.below(maxMs))
  }

  #post(): Promise<{ outcome: string; isReused: boolean }> {
    return new Promise((resolve) => {
      const headers = { "content-type": "application/json" }
      const { port } = this.#options
      const sent = request({ port, host: "127.0.0.1", path: "/api/notes", method: "POST", headers, agent: this.#agent })
      const finish = (outcome: string) => resolve({ outcome, isReused: sent.reusedSocket })
      sent.once("error", (error) => finish(String(error)))
      sent.once("response", (answer) =>
        buffer(answer).then(
          () => finish("answered"),
          () => finish("cut off"),
        ),
      )
      sent.end(JSON.stringify({ text: "x".repeat(2_000) }))
    })
  }

  // Some clients hardly pause; others are idle for most of the time.
  async #askRaw(client: number): Promise<void> {
    const pauseMs = (MAX_PAUSE_MS * client) / RAW_CLIENTS
    while (await this.#useConnection(pauseMs));
  }

  /** Sends requests over one connection until the server closes it. Returns false if there was no connection. */
  async #useConnection(pauseMs: number): Promise<boolean> {
    const { counts, port } = this.#options
    const connection = new RawConnection(port)
    for (let answers = 0; ; answers++) {
      const outcome = await connection.ask()
      if (outcome.kind === "failed") return this.#countFailure(outcome.reason, answers > 0)
      counts.answers++
      if (outcome.isLast) {
        counts.lastAnswers++
        return true
      }
      await this.#pause(pauseMs)
      // The server may close a connection that is idle.
      if (connection.isClosed) return true
    }
  }

  #countFailure(reason: string, wasUsed: boolean): boolean {
    const { counts } = this.#options
    if (reason === "cut off") counts.cut.push("an answer on a raw connection")
    else if (wasUsed) counts.resets.push(`a raw connection: ${reason}`)
    else this.#countRefusal(reason)
    return wasUsed
  }

  #countRefusal(reason: string): void {
    const { counts } = this.#options
    if (reason.includes("ECONNREFUSED")) counts.refusals++
    else counts.unaccepted++
  }
}

type RawOutcome = { kind: "answered"; isLast: boolean } | { kind: "failed"; reason: string }

/** A connection without a library in between, which would hide how it ends. */
class RawConnection {
  readonly #socket: Socket
  readonly #events = new EventEmitter()
  #received = ""
  #error: string | undefined
  isClosed = false

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1").setEncoding("latin1")
    this.#socket.on("data", (text) => {
      this.#received += text
      this.#events.emit("changed")
    })
    this.#socket.on("error", (error) => {
      this.#error = error.message
    })
    for (const event of ["end", "close"]) {
      this.#socket.on(event, () => {
        this.isClosed = true
        this.#events.emit("changed")
      })
    }
  }

  async ask(): Promise<RawOutcome> {
    this.#received = ""
    this.#socket.write(HEAD)
    while (!isWhole(this.#received)) {
      if (this.isClosed) return { kind: "failed", reason: this.#received ? "cut off" : (this.#error ?? "no answer") }
      await once(this.#events, "changed")
    }
    return { kind: "answered", isLast: /^connection: close$/im.test(this.#received) }
  }
}

function isWhole(received: string): boolean {
  const headEnd = received.indexOf("\r\n\r\n")
  const length = /^content-length: (\d+)/im.exec(received)?.[1]
  return headEnd >= 0 && received.length >= headEnd + 4 + Number(length)
}
