import type { Socket } from "node:net"
import { type SupervisorMessage, sendMessage } from "./supervisor-message.ts"

const FIRST_HOLDER_MS = 3000

/** The connections of the processes that use the server. Each of them is a hold while it is open. */
export class Holds {
  readonly #holders = new Set<Socket>()
  readonly #leaving = new Set<Socket>()
  #lastMessage: SupervisorMessage | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isIdle = false
  #onIdle = () => {}
  #onHeld = () => {}
  readonly #lingerMs: number

  /** `lingerMs` is the time for which the server keeps running after its last holder has left. */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs
    this.#awaitHolders(FIRST_HOLDER_MS)
  }

  get isEmpty(): boolean {
    return this.#holders.size === 0
  }

  /** Counts a connection as a hold once it sends data. Connections without data only check that we are alive. */
  accept(socket: Socket): void {
    socket.on("error", () => {})
    socket.once("data", () => this.#join(socket))
    socket.once("end", () => this.#leave(socket))
    socket.once("close", () => this.#leave(socket))
  }

  /** Sends a message to all holders, and to each later holder until the next message replaces it. */
  announce(news: SupervisorMessage): void {
    this.#lastMessage = news
    for (const holder of this.#holders) this.#sendLastMessage(holder)
  }

  /** Resolves once a process holds the server, or the time to wait for the first holder is over. */
  untilHeld(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeld = resolve
      if (!this.isEmpty || this.#isIdle) resolve()
    })
  }

  /** Resolves once no process has held the server for `lingerMs`. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve
      if (this.#isIdle) resolve()
    })
  }

  /** Ends all holds, as if all processes had left. */
  dismissAll(): void {
    for (const holder of this.#holders) this.#leaving.add(holder)
    this.#holders.clear()
    this.#becomeIdle()
  }

  /** Closes the connections of the processes that have left: nothing they wait for is outstanding. */
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
    // The server keeps running for the new holder, so processes that have left need not wait for its end.
    this.closeLeaving()
  }

  #leave(socket: Socket): void {
    const wasHolding = this.#holders.delete(socket)
    // The connection was only a liveness check, or was dismissed: there is nothing more to send.
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
    // Only the first holder that gets the message has started the server; for all later ones it was already running.
    if (this.#lastMessage.kind === "ready") this.#lastMessage = { ...this.#lastMessage, adopted: true }
  }
}
