import type { IncomingMessage } from "node:http"

interface ParsedRequest {
  readonly request: IncomingMessage
  readonly parsedBody?: unknown
}

/**
 * Returns the bytes of a request body that other middleware has already read, or undefined if the body is still unread.
 * JSON is serialized again, so the bytes are equivalent but not necessarily identical to the original.
 */
export function restoreBody({ request, parsedBody }: ParsedRequest): Uint8Array | undefined {
  if (!request.readableDidRead) return request.readableEnded ? new Uint8Array() : undefined
  if (parsedBody instanceof Uint8Array) return parsedBody
  if (typeof parsedBody === "string") return Buffer.from(parsedBody)
  if (isJson(request) && parsedBody !== undefined) return Buffer.from(JSON.stringify(parsedBody))
  throw new Error(
    `The body of ${request.method} ${request.url} was read before kit saw the request, and cannot be read again. Put kit before the middleware that reads it.`,
  )
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? "")
}
