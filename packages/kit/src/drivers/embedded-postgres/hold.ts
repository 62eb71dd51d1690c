import { once } from "node:events"
import type { Socket } from "node:net"
import { connectTo } from "./control-socket.ts"
import { lastOffice } from "./office.ts"
import { type ReadyMessage, receiveMessages } from "./supervisor-message.ts"

const SILENCE_LIMIT_MS = 60_000

export interface Hold {
  readonly ready: ReadyMessage
  release(): Promise<void>
}

/** Joins the supervisor of this home and waits for its server; undefined when no supervisor answers. */
export async function joinSupervisor(home: string, onProgress: (message: string) => void): Promise<Hold | undefined> {
  const office = lastOffice(home)
  if (office === undefined) return undefined
  const socket = await connectTo(office.controlSocket)
  if (socket === undefined) return undefined
  const ready = await waitForServer(socket, { home, onProgress })
  if (ready === undefined) return undefined
  letGoOfEventLoop(socket)
  let released: Promise<void> | undefined
  return {
    ready,
    release: () => {
      released ??= leave(socket)
      return released
    },
  }
}

interface Waiting {
  readonly home: string
  readonly onProgress: (message: string) => void
}

// Undefined when the supervisor goes away first: the caller then looks for its successor.
function waitForServer(socket: Socket, { home, onProgress }: Waiting): Promise<ReadyMessage | undefined> {
  return new Promise((resolve, reject) => {
    socket.once("close", () => resolve(undefined))
    socket.setTimeout(SILENCE_LIMIT_MS, () => {
      reject(new Error(`PostgreSQL in ${home} has not started yet. Look into ${home}/postgres.log.`))
      socket.destroy()
    })
    receiveMessages(socket, (message) => {
      if (message.kind === "progress") return onProgress(message.message)
      if (message.kind === "ready") return resolve(message)
      reject(new Error(message.message))
      socket.destroy()
    })
    socket.write("hold\n")
  })
}

// A server that is merely held must not keep its user process running.
function letGoOfEventLoop(socket: Socket): void {
  socket.setTimeout(0)
  socket.unref()
}

async function leave(socket: Socket): Promise<void> {
  if (socket.closed) return
  socket.ref()
  const closed = once(socket, "close")
  socket.end()
  await closed
}
