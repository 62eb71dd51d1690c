import type { CallHandler, IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import { ApiError } from "../wire/errors/api-error.ts"
import { isOpenBody, streamOf } from "./open-body.ts"

/** What a host knows about a request besides the request itself. */
export interface RequestOrigin {
  /** The address at the other end of the connection. */
  readonly peerAddress?: string | undefined
}

export type FetchHandler = (request: Request, origin?: RequestOrigin) => Promise<Response>

// A response with one of these statuses cannot have a body, not even an empty one.
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** The handler as a web-standard function, for hosts that speak `Request` and `Response`. */
export function toFetchHandler(handle: CallHandler): FetchHandler {
  return async (request, origin) => {
    const { status, headers, body, onEnded } = await handle(callOf(request, origin))
    // The host has it from here on, and does not tell when it is sent.
    onEnded?.()
    const hasBody = request.method !== "HEAD" && !BODILESS.has(status)
    const sent = isOpenBody(body) ? streamOf(body) : body
    if (!hasBody && sent instanceof ReadableStream) await sent.cancel("Nobody reads this answer.")
    return new Response(hasBody ? sent : null, { status, headers: headersOf(headers) })
  }
}

function headersOf(headers: OutgoingAnswer["headers"]): Headers {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) made.append(name, one)
  }
  return made
}

function callOf(request: Request, origin: RequestOrigin | undefined): IncomingCall {
  const { pathname, search, host } = new URL(request.url)
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: { get: (name) => request.headers.get(name) ?? (name === "host" ? host : null) },
    peerAddress: origin?.peerAddress,
    get hasLeft() {
      return request.signal.aborted
    },
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
  // From its parts: a host may have requests of its own kind. `duplex` is demanded by Node, and missing in its types.
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit)
}

function bodyTooLarge(maxBytes: number): Error {
  return Object.assign(new RangeError(`The body is longer than ${maxBytes} bytes.`), { code: "BODY_TOO_LARGE" })
}

function refuseBrokenBody(cause: unknown): never {
  throw new ApiError("BAD_REQUEST", { message: "The body broke off before its end.", cause })
}

/** The whole of a stream, or null when it is longer than `maxBytes`; nothing past the limit is read. */
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
