// The connections of one instance to its database, which can be stalled or cut.
import { once } from "node:events"
import { connect, createServer } from "node:net"
import pg from "pg"

/** @typedef {import("node:net").Socket} Socket */

export class DatabaseLine {
  /** @type {Set<[Socket, Socket]>} */
  #pairs = new Set()
  #isHeldUp = false
  /** @type {import("node:net").Server} */
  #server

  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
    const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    this.#server = createServer((client) => this.#join(client, connect(target)))
    this.urlOf = (/** @type {number} */ ownPort) =>
      `postgres://${user}:${encodeURIComponent(password ?? "")}@127.0.0.1:${ownPort}/${database}`
  }

  /** @returns {Promise<string>} the address for the instance */
  async open() {
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

  /** As `holdUp`, for about half of the connections. @param {(bound: number) => number} below */
  holdUpSome(below) {
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

  /** @param {Socket} client @param {Socket} upstream */
  #join(client, upstream) {
    const pair = /** @type {[Socket, Socket]} */ ([client, upstream])
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

/** @param {[Socket, Socket]} pair */
function hold(pair) {
  for (const socket of pair) socket.pause()
}
