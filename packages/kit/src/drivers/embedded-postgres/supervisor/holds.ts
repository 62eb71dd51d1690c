import type { Socket } from "node:net"
import { type SupervisorMessage, sendMessage } from "./supervisor-message.ts"

const FIRST_HOLDER_MS = 3000

/**
 * The connections from the processes that use the PostgreSQL server. Each open connection is a hold: it keeps the
 * server running.
 */
export class Holds {
  readonly #holders = new Set<Socket>()
  readonly #leaving = new Set<Socket>()
  #lastMessage: SupervisorMessage | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isIdle = false
  #onIdle = () => {}
  #onHeld = () => {}
  readonly #lingerMs: number

  /** `lingerMs` is how long the PostgreSQL server keeps running after the last process that uses it has left. */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs
    this.#awaitHolders(FIRST_HOLDER_MS)
  }

  get isEmpty(): boolean {
    return this.#holders.size === 0
  }

  /**
   * Counts a connection as a hold once it sends data. A connection that sends nothing only checks that this supervisor
   * is alive.
   */
  accept(socket: Socket): void {
    socket.on("error", () => {})
    socket.once("data", () => this.#join(socket))
    socket.once("end", () => this.#leave(socket))
    socket.once("close", () => this.#leave(socket))
  }

  /**
   * Sends a message to all processes that use the server. Each process that joins later also gets it, until the next
   * message replaces it.
   */
  announce(news: SupervisorMessage): void {
    this.#lastMessage = news
    for (const holder of this.#holders) this.#sendLastMessage(holder)
  }

  /** Resolves once a process uses the server, or once the time to wait for the first process is over. */
  untilHeld(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeld = resolve
      if (!this.isEmpty || this.#isIdle) resolve()
    })
  }

  /** Resolves once no process has used the server for `lingerMs`. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve
      if (this.#isIdle) resolve()
    })
  }

  /** Ends all holds, as if all processes that use the server had left. */
  dismissAll(): void {
    for (const holder of this.#holders) this.#leaving.add(holder)
    this.#holders.clear()
    this.#becomeIdle()
  }

  /** Closes the connections of the processes that have left, so that they no longer wait for the server to stop. */
  closeLeaving(): void {
    for (const socket of this.#leaving) socket.end()
    this.#leaving.clear()
  }

  #join(socket: Socket): void {
    clearTimeout(this.#idleTimer)
    this.#isIdle = false
    this.#holders.add(socket)
    this.#sendLastMessage(socket)
    this.#onHeld()
    // The server keeps running for the new process, so processes that have left need not wait for it to stop.
    this.closeLeaving()
  }

  #leave(socket: Socket): void {
    const wasHolding = this.#holders.delete(socket)
    // The connection was only a liveness check, or its hold was already ended, so there is nothing more to send.
    if (!wasHolding) socket.end()
    if (!wasHolding) return
    this.#leaving.add(socket)
    if (this.isEmpty) this.#awaitHolders(this.#lingerMs)
    else this.closeLeaving()
  }

  #awaitHolders(timeoutMs: number): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#becomeIdle(), timeoutMs)
  }

  #becomeIdle(): void {
    this.#isIdle = true
    this.#onIdle()
    this.#onHeld()
  }

  #sendLastMessage(socket: Socket): void {
    if (this.#lastMessage === undefined) return
    sendMessage(socket, this.#lastMessage)
    // Only the first process that gets the "ready" message has started the server. For all later processes it was
    // already running.
    if (this.#lastMessage.kind === "ready") this.#lastMessage = { ...this.#lastMessage, adopted: true }
  }
}
