import type { IncomingMessage } from "node:http"

interface RequestTimeout {
  /** How long a client may take to send a complete request. */
  readonly timeoutMs: number
  /** Called if the client takes longer than `timeoutMs` to send the request. */
  onTimeout(): void
}

/** Lets a request body take any time to arrive, provided that data keeps arriving. */
type ExpectLongBody = () => void

const MIN_BYTES_PER_SECOND = 1024

/**
 * Limits the time in which a request must arrive completely. Node's own timeout is the same for all requests, and would
 * cut off the upload of a large file over a slow connection.
 */
export function watchRequest(request: IncomingMessage, { timeoutMs, onTimeout }: RequestTimeout): ExpectLongBody {
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
    onTimeout()
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
