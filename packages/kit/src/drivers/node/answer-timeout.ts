import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const MIN_BYTES_PER_SECOND = 16 * 1024

/**
 * Closes the connection if the client reads a long response too slowly. The response stays in memory until the client
 * has read it, and other requests wait for that memory.
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

// Returns how many bytes are waiting to be written to the socket. Node reads this property for its own write timeouts,
// but its types lack the property.
function bytesQueued(socket: (Socket & { _handle?: { writeQueueSize?: number } | null }) | null): number {
  return socket?._handle?.writeQueueSize ?? 0
}
