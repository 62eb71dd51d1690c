import type { Socket } from "node:net"

/** What a supervisor tells the processes that hold its server. */
export type SupervisorMessage = ProgressMessage | ReadyMessage | FailedMessage

interface ProgressMessage {
  readonly kind: "progress"
  readonly message: string
}

export interface ReadyMessage {
  readonly kind: "ready"
  readonly url: string
  readonly version: string
  readonly adopted: boolean
}

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
