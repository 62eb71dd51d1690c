import type { IncomingMessage } from "node:http"

export interface RequestTimeout {
  /** How long a client may take to send a whole request. */
  readonly timeoutMs: number
  /** Called when it took longer. */
  onLate(): void
}

/** Lets a body be as long as it takes, as long as it keeps coming. */
export type ExpectLongBody = () => void

const MIN_BYTES_PER_SECOND = 1024

/**
 * Watches a request until it is whole. Node's own timeout holds for every request alike, and would cut off a large file on
 * a slow line.
 */
export function watchRequest(request: IncomingMessage, { timeoutMs, onLate }: RequestTimeout): ExpectLongBody {
  if (!hasBody(request)) return ignore
  const minBytes = (timeoutMs / 1000) * MIN_BYTES_PER_SECOND
  let isLong = false
  let bytesBefore = request.socket.bytesRead
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    const isComing = isLong && bytesRead - bytesBefore >= minBytes
    bytesBefore = bytesRead
    if (isComing) return
    clearInterval(timer)
    onLate()
  }, timeoutMs)
  timer.unref()
  request.once("close", () => clearInterval(timer))
  return () => {
    isLong = true
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

function ignore(): void {}
