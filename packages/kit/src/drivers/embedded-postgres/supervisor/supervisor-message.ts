import type { Socket } from "node:net"
import type { Supervision } from "./launch-supervisor.ts"

/** What a supervisor tells the processes that hold its server. */
export type SupervisorMessage = ProgressMessage | ReadyMessage | DownMessage | FailedMessage

interface ProgressMessage {
  readonly kind: "progress"
  readonly message: string
}

export interface ReadyMessage {
  readonly kind: "ready"
  readonly url: string
  readonly version: string
  readonly adopted: boolean
  /** How the server is run: who replaces its supervisor runs it in the same way. */
  readonly supervision: Supervision
}

/** The server is not running; the supervisor starts it again until it runs. */
interface DownMessage {
  readonly kind: "down"
  readonly reason: string
}

/** The supervisor gives up and ends. */
interface FailedMessage {
  readonly kind: "failed"
  readonly message: string
}

export function sendMessage(socket: Socket, message: SupervisorMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

export function receiveMessages(socket: Socket, listener: (message: SupervisorMessage) => void): void {
  let unfinished = ""
  socket.setEncoding("utf8")
  socket.on("data", (chunk: string) => {
    const lines = (unfinished + chunk).split("\n")
    unfinished = lines.pop() ?? ""
    // Only our own supervisor writes here: the socket lies in a directory no other user can enter.
    for (const line of lines) listener(JSON.parse(line) as SupervisorMessage)
  })
}
