import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"

/** The parts of a Node exchange from which a web-standard `Request` is created. */
interface RequestSource {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The URL path and query, if they differ from `request.url`. */
  readonly url?: string
}

/** Creates a web-standard `Request`. The option `bodyBefore` holds the bytes of a body that was already read. */
export function toRequest(
  source: RequestSource,
  limit: { maxBytes: number; bodyBefore?: Uint8Array | undefined },
): Request {
  const { request, response } = source
  const { method = "GET" } = request
  const { maxBytes, bodyBefore } = limit
  const hasBody = method !== "GET" && method !== "HEAD"
  const headers = headersOf(request)
  // The Content-Length and Content-Encoding headers describe the original bytes, which `bodyBefore` replaces.
  if (bodyBefore) for (const name of ["content-length", "content-encoding"]) headers.delete(name)
  return new Request(urlOf(source), {
    method,
    headers,
    signal: signalOf(response),
    ...(hasBody && { body: bounded(bodyBefore ? streamOf(bodyBefore) : sentBody(request), maxBytes), duplex: "half" }),
  } as RequestInit) // The cast is safe: Node requires `duplex` for a streaming body, but its types lack it.
}

// Returns the URL of the request. The host in it is provisional, because the app's configuration decides which
// forwarded host to trust.
function urlOf({ request, url = request.url ?? "/" }: RequestSource): string {
  const origin = `http://${request.headers.host ?? "localhost"}`
  return URL.canParse(url, origin) ? new URL(url, origin).href : origin
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "")
  }
  return headers
}

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

// The cast is safe: Node's web stream types differ from the standard types in name only.
function sentBody(request: IncomingMessage): ReadableStream<Uint8Array> {
  return Readable.toWeb(request) as ReadableStream<Uint8Array>
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
}

function bounded(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let size = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxBytes) controller.error(bodyTooLarge(maxBytes))
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(bound)
}

function bodyTooLarge(maxBytes: number): Error {
  return Object.assign(new RangeError(`The body is longer than ${maxBytes} bytes.`), { code: "BODY_TOO_LARGE" })
}
