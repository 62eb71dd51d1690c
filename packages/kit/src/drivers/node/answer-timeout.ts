import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const MIN_BYTES_PER_SECOND = 16 * 1024

/**
 * Closes the connection of a client who hardly takes a long answer: it stays in memory until it is taken, and others wait
 * for that memory.
 */
export function watchAnswer(response: ServerResponse, timeoutMs: number): void {
  const minBytes = (timeoutMs / 1000) * MIN_BYTES_PER_SECOND
  let before = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    const left = bytesQueued(response.socket)
    if (left > 0 && before - left < minBytes) response.destroy()
    before = left
  }, timeoutMs)
  timer.unref()
  response.once("close", () => clearInterval(timer))
}

// Node itself watches writes by this size; its types leave it out.
function bytesQueued(socket: (Socket & { _handle?: { writeQueueSize?: number } | null }) | null): number {
  return socket?._handle?.writeQueueSize ?? 0
}
