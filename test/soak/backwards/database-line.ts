// The connections of one instance to its database, which can be stalled or cut.

import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"
import pg from "pg"

export class DatabaseLine {
  #pairs: Set<[Socket, Socket]> = new Set()
  #isHeldUp = false
  #server: Server

  readonly urlOf

  constructor(databaseUrl: string) {
    const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
    const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    this.#server = createServer((client) => this.#join(client, connect(target)))
    this.urlOf = (ownPort: number) =>
      `postgres://${user}:${encodeURIComponent(password ?? "")}@127.0.0.1:${ownPort}/${database}`
  }

  /** Returns the database url for the instance. */
  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    const address = this.#server.address()
    return this.urlOf(typeof address === "object" ? (address?.port ?? 0) : 0)
  }

  cut() {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
  }

  /** Stalls all connections: no data passes, and neither side gets an error. */
  holdUp() {
    this.#isHeldUp = true
    for (const pair of this.#pairs) hold(pair)
  }

  /** As `holdUp`, for about half of the connections. */
  holdUpSome(below: (bound: number) => number) {
    for (const pair of this.#pairs) if (below(2) === 0) hold(pair)
  }

  letGo() {
    this.#isHeldUp = false
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  close() {
    this.cut()
    this.#server.close()
  }

  #join(client: Socket, upstream: Socket) {
    const pair = [client, upstream] as [Socket, Socket]
    this.#pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed()]) {
      from?.on("data", (chunk) => to?.write(chunk))
      from?.on("error", () => {})
      from?.on("close", () => {
        this.#pairs.delete(pair)
        to?.destroy()
      })
    }
    if (this.#isHeldUp) hold(pair)
  }
}

function hold(pair: [Socket, Socket]) {
  for (const socket of pair) socket.pause()
}
