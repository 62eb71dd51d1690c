import type { Duplex } from "node:stream"
import type { NodeExchange } from "./exchange.ts"
import { CLOSING } from "./outlet.ts"

// How long a connection is still read after the server has closed its own side. Clients close their side as soon as
// they notice.
const LINGER_MS = 500
// How long a drained connection without any request stays open: its first request is probably on its way.
const FIRST_REQUEST_MS = 250

/** A server's open connections, each with its latest request. */
export class Connections {
  readonly #open = new Map<Duplex, NodeExchange | undefined>()
  #isDraining = false

  /** True if each connection is closed after its next response. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  add(socket: Duplex): void {
    this.#open.set(socket, undefined)
    socket.once("close", () => this.#open.delete(socket))
  }

  setRequest(exchange: NodeExchange): void {
    const { socket } = exchange.request
    // Skips a closed connection: Node may still parse a request from data that arrived before the connection closed.
    if (this.#open.has(socket)) this.#open.set(socket, exchange)
  }

  /** Returns the latest request of a connection if its response is not finished, and otherwise undefined. */
  activeRequest(socket: Duplex): NodeExchange | undefined {
    const exchange = this.#open.get(socket)
    return exchange?.response.writableFinished ? undefined : exchange
  }

  /** From now on, each connection is closed after its next response. Idle connections stay open. */
  drain(): void {
    this.#isDraining = true
  }

  /** Closes each idle connection now, and each other connection when its active request has finished. */
  close(): void {
    const firstRequestMs = this.#isDraining ? FIRST_REQUEST_MS : 0
    this.drain()
    for (const [socket, latest] of this.#open) {
      const exchange = this.activeRequest(socket)
      exchange?.response.emit(CLOSING)
      if (exchange) exchange.response.once("finish", () => endConnection(socket))
      else if (latest) closeIdle(socket)
      else setTimeout(() => this.#closeUnused(socket), firstRequestMs)
    }
  }

  // Closes a connection that had no request before, unless a request has arrived, whose response closes it.
  #closeUnused(socket: Duplex): void {
    if (this.#open.get(socket) === undefined) closeIdle(socket)
  }
}

/** Destroys the socket once all data is written, instead of waiting for the client to close its side. */
export function endConnection(socket: Duplex): void {
  socket.end(() => socket.destroy())
}

// Closes our side first and reads on: if data arrives on a socket that is closed completely, the client gets a reset.
function closeIdle(socket: Duplex): void {
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once("close", () => clearTimeout(lingering))
  socket.end()
}
