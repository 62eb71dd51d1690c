import type { CallHandler, IncomingCall } from "../ports/http.ts"
import { ApiError } from "../wire/api-error.ts"

export type FetchHandler = (request: Request) => Promise<Response>

/** The handler as a web-standard function, for hosts that speak `Request` and `Response`. */
export function toFetchHandler(handle: CallHandler): FetchHandler {
  return async (request) => {
    const { status, headers, body } = await handle(callOf(request))
    return new Response(request.method === "HEAD" ? null : body, { status, headers })
  }
}

function callOf(request: Request): IncomingCall {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: request.headers,
    readBody: (maxBytes) => readStream(request.body, maxBytes).catch(refuseBrokenBody),
  }
}

function refuseBrokenBody(cause: unknown): never {
  throw new ApiError("BAD_REQUEST", { message: "The body broke off before its end.", cause })
}

async function readStream(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array | null> {
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
