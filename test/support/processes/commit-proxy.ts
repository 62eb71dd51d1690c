import { connect, createServer, type Socket } from "node:net"
import pg from "pg"
import { StatementCounter } from "../statement-counter.ts"
import type { TestDatabase } from "../test-database.ts"

/**
 * A moment of a write on the wire between a server and its database: one of its statements, the commit on its way to
 * the database, its answer on the way back, or that answer just delivered.
 */
export type Moment = { readonly statement: number } | "commit asked" | "commit done" | "commit told"

/** A proxy between a server and its database that strikes at an exact moment of the next write. */
export interface CommitProxy extends AsyncDisposable {
  readonly url: string
  /** Returns the number of statements so far, without those of the bus. */
  statements(): number
  /** At this moment the proxy stops forwarding in both directions, and calls `strike`. */
  at(moment: Moment, strike: () => void): void
}

export async function startCommitProxy(database: TestDatabase): Promise<CommitProxy> {
  const { host, port, user, password, database: name } = new pg.Client({ connectionString: database.url })
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const trap = new Trap()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => {})
    }
    // The bytes that have passed are delivered, even if no client is left for the answer.
    client.on("close", () => upstream.end())
    upstream.on("close", () => client.destroy())
    trap.guard(client, upstream)
  })
  const ownPort = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port))
  })
  return {
    url: `postgres://${user}:${encodeURIComponent(password ?? "")}@127.0.0.1:${ownPort}/${name}`,
    statements: () => trap.statements,
    at: (moment, strike) => trap.set(moment, strike),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

class Trap {
  statements = 0
  #moment: Moment | undefined
  #strike: () => void = () => {}
  /** The number of statements of the awaited write so far. */
  #seen = 0

  set(moment: Moment, strike: () => void): void {
    this.#moment = moment
    this.#strike = strike
    this.#seen = 0
  }

  guard(client: Socket, upstream: Socket): void {
    const counter = new StatementCounter()
    let isShut = false
    let isCommitting = false
    const spring = () => {
      isShut = true
      this.#moment = undefined
      this.#strike()
    }
    client.on("data", (chunk: Buffer) => {
      const before = counter.count
      counter.read(chunk)
      if (!counter.isBus) this.#count(counter.count - before)
      isCommitting = isCommit(chunk)
      if (this.#isDue(isCommitting)) spring()
      if (!isShut) upstream.write(chunk)
    })
    upstream.on("data", (chunk: Buffer) => {
      if (isCommitting && this.#moment === "commit done") spring()
      if (!isShut) client.write(chunk)
      if (isCommitting && this.#moment === "commit told") spring()
    })
  }

  #count(more: number): void {
    this.statements += more
    this.#seen += more
  }

  #isDue(isCommitting: boolean): boolean {
    if (typeof this.#moment === "object") return this.#seen >= this.#moment.statement
    return isCommitting && this.#moment === "commit asked"
  }
}

// A simple query of one word: its type, its length, the word and a zero byte.
function isCommit(chunk: Buffer): boolean {
  return chunk.includes("commit\0")
}
