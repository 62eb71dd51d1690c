import type { Socket } from "node:net"
import type { SupervisorOptions } from "./launch-supervisor.ts"

/** A message from a supervisor to the processes that use its PostgreSQL server. */
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
  /** The options with which the server was started. A supervisor that replaces this one uses them as well. */
  readonly supervision: SupervisorOptions
}

/** The message that the PostgreSQL server is not running. The supervisor keeps trying to start it. */
interface DownMessage {
  readonly kind: "down"
  readonly reason: string
}

/** The message that the PostgreSQL server cannot be started. The supervisor gives up and exits. */
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
    // The cast is safe: only a supervisor writes to this socket, which is in a directory that no other user can enter.
    for (const line of lines) listener(JSON.parse(line) as SupervisorMessage)
  })
}
