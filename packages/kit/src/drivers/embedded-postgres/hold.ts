import { once } from "node:events"
import type { Socket } from "node:net"
import { connectTo } from "./files/control-socket.ts"
import { latestLock } from "./files/supervisor-lock.ts"
import { receiveMessages, type SupervisorMessage } from "./supervisor/supervisor-message.ts"

/** Connects to the supervisor of a database home. Returns undefined if no supervisor answers. */
export async function joinSupervisor(home: string): Promise<Hold | undefined> {
  const lock = latestLock(home)
  if (lock === undefined) return undefined
  const socket = await connectTo(lock.controlSocket)
  return socket && new Hold(socket)
}

/** A connection to a supervisor. The PostgreSQL server keeps running while this connection is open. */
export class Hold {
  readonly #socket: Socket
  readonly #messages: SupervisorMessage[] = []
  #wake = () => {}
  #released: Promise<void> | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    receiveMessages(socket, (message) => {
      this.#messages.push(message)
      this.#wake()
    })
    socket.once("close", () => this.#wake())
    socket.write("hold\n")
    // The connection to the supervisor alone must not keep this process running.
    socket.unref()
  }

  /** Returns the supervisor's next message, or undefined once the connection is closed. Supports only one reader. */
  async next(): Promise<SupervisorMessage | undefined> {
    while (this.#messages.length === 0 && !this.#socket.closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#messages.shift()
  }

  /** Closes the connection to the supervisor without waiting for the PostgreSQL server to stop. */
  abandon(): void {
    this.#socket.destroy()
  }

  release(): Promise<void> {
    this.#released ??= this.#leave()
    return this.#released
  }

  async #leave(): Promise<void> {
    if (this.#socket.closed) return
    this.#socket.ref()
    const closed = once(this.#socket, "close")
    this.#socket.end()
    await closed
  }
}
