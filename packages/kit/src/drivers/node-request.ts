import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"

/** The request as web-standard code knows it. */
export function toRequest(request: IncomingMessage, response: ServerResponse, maxBytes: number): Request {
  const { method = "GET" } = request
  const hasBody = method !== "GET" && method !== "HEAD"
  return new Request(urlOf(request), {
    method,
    headers: headersOf(request),
    signal: signalOf(response),
    ...(hasBody && { body: boundedBody(request, maxBytes), duplex: "half" }),
  } as RequestInit) // `duplex` is demanded by Node for a body that streams, and missing in its types.
}

// Whoever trusts a forwarded host says so in the configuration; the path is what matters here.
function urlOf({ headers, url = "/" }: IncomingMessage): string {
  const origin = `http://${headers.host ?? "localhost"}`
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

function boundedBody(request: IncomingMessage, maxBytes: number): ReadableStream<Uint8Array> {
  let size = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxBytes) controller.error(bodyTooLarge(maxBytes))
      else controller.enqueue(chunk)
    },
  })
  // Node's own stream types differ from the web's in name only.
  const source = Readable.toWeb(request) as ReadableStream<Uint8Array>
  return source.pipeThrough(bound)
}

function bodyTooLarge(maxBytes: number): Error {
  return Object.assign(new RangeError(`The body is longer than ${maxBytes} bytes.`), { code: "BODY_TOO_LARGE" })
}
