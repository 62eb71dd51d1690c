import type { Socket } from "node:net"
import { type SupervisorMessage, sendMessage } from "./supervisor-message.ts"

const FIRST_HOLDER_MS = 3000

/** The connections of the processes that use the server. Each one is a hold for as long as it is open. */
export class Holds {
  readonly #holders = new Set<Socket>()
  readonly #leaving = new Set<Socket>()
  #news: SupervisorMessage | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isIdle = false
  #onIdle = () => {}
  #onHeld = () => {}
  readonly #lingerMs: number

  /** The server stays for so long after its last holder has left. */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs
    this.#awaitHolders(FIRST_HOLDER_MS)
  }

  get isEmpty(): boolean {
    return this.#holders.size === 0
  }

  /** Takes a connection in once it asks for a hold; others only look whether we are alive. */
  accept(socket: Socket): void {
    socket.on("error", () => {})
    socket.once("data", () => this.#join(socket))
    socket.once("end", () => this.#leave(socket))
    socket.once("close", () => this.#leave(socket))
  }

  /** Tells all holders, and those who come later until there are other news. */
  announce(news: SupervisorMessage): void {
    this.#news = news
    for (const holder of this.#holders) this.#tellNews(holder)
  }

  /** Resolves once somebody holds the server, or nobody came to do so. */
  untilHeld(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeld = resolve
      if (!this.isEmpty || this.#isIdle) resolve()
    })
  }

  /** Resolves once nobody has held the server for a moment. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve
      if (this.#isIdle) resolve()
    })
  }

  /** Ends every hold, as if all processes had left. */
  dismissAll(): void {
    for (const holder of this.#holders) this.#leaving.add(holder)
    this.#holders.clear()
    this.#becomeIdle()
  }

  /** Lets those who left know that all they waited for has happened. */
  sayGoodbye(): void {
    for (const socket of this.#leaving) socket.end()
    this.#leaving.clear()
  }

  #join(socket: Socket): void {
    clearTimeout(this.#idleTimer)
    this.#isIdle = false
    this.#holders.add(socket)
    this.#tellNews(socket)
    this.#onHeld()
    // The server stays up for the newcomer, so nobody needs to wait for its end.
    this.sayGoodbye()
  }

  #leave(socket: Socket): void {
    const wasHolding = this.#holders.delete(socket)
    // Nothing is left to be told to one who only looked in, or was dismissed.
    if (!wasHolding) socket.end()
    if (!wasHolding) return
    this.#leaving.add(socket)
    if (this.isEmpty) this.#awaitHolders(this.#lingerMs)
    else this.sayGoodbye()
  }

  #awaitHolders(patienceMs: number): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#becomeIdle(), patienceMs)
  }

  #becomeIdle(): void {
    this.#isIdle = true
    this.#onIdle()
    this.#onHeld()
  }

  #tellNews(socket: Socket): void {
    if (this.#news === undefined) return
    sendMessage(socket, this.#news)
    // Only the first one to hear of a fresh server has started it.
    if (this.#news.kind === "ready") this.#news = { ...this.#news, adopted: true }
  }
}
