import type { CallHandler, IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import { ApiError } from "../wire/errors/api-error.ts"
import { isOpenBody, reportStreamEnd, toReadableStream } from "./open-body.ts"

/** Facts about a request that only the host knows. The host is the server in which the app is mounted. */
export interface RequestOrigin {
  /** The IP address at the other end of the connection. */
  readonly peerAddress?: string | undefined
}

export type FetchHandler = (request: Request, origin?: RequestOrigin) => Promise<Response>

// The status codes of responses that cannot have a body, not even an empty body.
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** Returns the handler as a web-standard fetch function, for hosts that use `Request` and `Response`. */
export function toFetchHandler(handle: CallHandler): FetchHandler {
  return async (request, origin) => {
    const { status, headers, body, onEnded, onClosed } = await handle(toIncomingCall(request, origin))
    // Called now, because the host owns the response from here on and does not report when it has sent the response.
    onEnded?.()
    const hasBody = request.method !== "HEAD" && !STATUSES_WITHOUT_BODY.has(status)
    const sent = isOpenBody(body) ? toReadableStream(body) : body
    const isStream = hasBody && sent instanceof ReadableStream
    if (!isStream) onClosed?.(!request.signal.aborted)
    if (!hasBody && sent instanceof ReadableStream) await sent.cancel("The response has no body.")
    const shown = isStream && onClosed ? reportStreamEnd(sent, onClosed) : sent
    return new Response(hasBody ? shown : null, { status, headers: headersOf(headers) })
  }
}

function headersOf(headers: OutgoingAnswer["headers"]): Headers {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) made.append(name, one)
  }
  return made
}

function toIncomingCall(request: Request, origin: RequestOrigin | undefined): IncomingCall {
  const { pathname, search, host, protocol } = new URL(request.url)
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: { get: (name) => request.headers.get(name) ?? (name === "host" ? host : null) },
    peerAddress: origin?.peerAddress,
    isEncrypted: protocol === "https:",
    get hasLeft() {
      return request.signal.aborted
    },
    hasBody: request.body !== null,
    readBody: (maxBytes) => readStream(request.body, maxBytes).catch(refuseBrokenBody),
    openBody: () => request.body?.values({ preventCancel: true }) ?? NO_BODY,
    toRequest: (maxBytes) => boundedRequest(request, maxBytes),
  }
}

const NO_BODY: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(ENDED) }) }
const ENDED = Object.freeze({ done: true as const, value: undefined })

function boundedRequest(request: Request, maxBytes: number): Request {
  if (request.body === null || request.bodyUsed) return request
  let size = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxBytes) controller.error(bodyTooLarge(maxBytes))
      else controller.enqueue(chunk)
    },
  })
  const { url, method, headers, signal } = request
  const body = request.body.pipeThrough(bound)
  // A new Request is built from the parts of the old one, because a host may have its own Request class. The cast is
  // safe: Node requires `duplex`, but its types lack it.
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit)
}

function bodyTooLarge(maxBytes: number): Error {
  return Object.assign(new RangeError(`The body is longer than ${maxBytes} bytes.`), { code: "BODY_TOO_LARGE" })
}

function refuseBrokenBody(cause: unknown): never {
  throw new ApiError("BAD_REQUEST", { message: "The body ended before it was complete.", cause })
}

/** Reads a whole stream. Returns null if the stream is longer than `maxBytes`, and stops reading at that limit. */
export async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
