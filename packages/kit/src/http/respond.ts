import type { Answer, JsonAnswer } from "../engine/read/answer.ts"
import { answerHash, answerHashInSlices, onOneLine } from "../engine/read/answer-hash.ts"
import { answerText, answerTextInSlices, plainValue } from "../engine/read/answer-text.ts"
import { yieldToEventLoop } from "../engine/read/time-slice.ts"
import { UnsatisfiableRange } from "../features/uploads/byte-range.ts"
import type { OpenBody, OutgoingAnswer } from "../ports/http.ts"
import { encodeExtended } from "../wire/codecs/extended-json.ts"
import { ApiError, type ApiErrorShape } from "../wire/errors/api-error.ts"
import { HASH_HEADER } from "../wire/options/client-headers.ts"
import { rateLimitHeaders } from "./protection/rate-limited.ts"
import { JSON_SECURITY_POLICY } from "./protection/security-headers.ts"

/**
 * The version of the wire format, which is sent with each response. Additions to the format keep the version; a
 * breaking change needs a new date.
 */
export const WIRE_VERSION = "2026-11-15"

export interface ReplyOptions {
  readonly requestId: string
  readonly isExtended: boolean
  /** True if the response depends on the Accept-Language header. */
  readonly hasLocales?: boolean
  /** True if the caller requests the hash of the result. */
  readonly isHashed?: boolean
}

/**
 * Returns a JSON response. Its records are private to the caller, and a cache must revalidate the response before each
 * use.
 */
export function answerJson(answer: Answer<unknown> | JsonAnswer, reply: ReplyOptions): OutgoingAnswer {
  const text = answerText(answer, reply.isExtended)
  return answerWith(text, answer, { reply, hash: reply.isHashed ? answerHash(onOneLine(text)) : undefined })
}

/** Like `answerJson`, for a long result. The work is done in steps, and other requests run between the steps. */
export async function answerJsonInSlices(
  answer: Answer<unknown> | JsonAnswer,
  reply: ReplyOptions,
): Promise<OutgoingAnswer> {
  const isWritten = "json" in answer
  const text = isWritten ? answerText(answer, reply.isExtended) : await answerTextInSlices(answer, reply.isExtended)
  await yieldToEventLoop()
  // Encodes the text only once. If Node got a string, it would first measure its length in bytes and then encode it for
  // the socket.
  const body = Buffer.from(text)
  const hash = reply.isHashed ? await answerHashInSlices(Buffer.from(onOneLine(text))) : undefined
  return answerWith(body, answer, { reply, hash })
}

function answerWith(
  body: string | Uint8Array,
  answer: Pick<Answer<unknown>, "headers" | "status">,
  { reply, hash }: { readonly reply: ReplyOptions; readonly hash: string | undefined },
): OutgoingAnswer {
  const headers = commonHeaders(reply, "private, no-cache")
  if (hash !== undefined) headers[HASH_HEADER] = hash
  if (answer.headers) Object.assign(headers, answer.headers)
  return { status: answer.status ?? 200, headers, body }
}

/** Returns a response that is a stream of events, which no cache stores and no proxy buffers. */
export function answerEvents(events: OpenBody, reply: ReplyOptions): OutgoingAnswer {
  const headers = commonHeaders(reply, "no-store, no-transform")
  headers["content-type"] = "text/event-stream; charset=utf-8"
  headers["x-accel-buffering"] = "no"
  return { status: 200, headers, body: events }
}

/**
 * Returns a JSON response for an error. If the error is not an `ApiError`, the response reveals nothing about its
 * cause.
 */
export function answerError(error: unknown, reply: ReplyOptions): OutgoingAnswer {
  const known = error instanceof ApiError ? error : new ApiError("INTERNAL_SERVER_ERROR")
  const shape: ApiErrorShape = {
    code: known.code,
    message: known.message,
    ...(known.fieldErrors && { fieldErrors: known.fieldErrors }),
    ...(known.context && { context: known.context }),
    requestId: reply.requestId,
  }
  const body = { error: shape }
  const headers = commonHeaders(reply, "no-store")
  const allow = known.code === "METHOD_NOT_ALLOWED" ? known.context?.["allow"] : undefined
  if (Array.isArray(allow)) headers["allow"] = allow.join(", ")
  if (known instanceof UnsatisfiableRange) headers["content-range"] = known.contentRange
  if (known.code === "SERVICE_UNAVAILABLE") headers["retry-after"] = "1"
  if (known.code === "RATE_LIMITED") Object.assign(headers, rateLimitHeaders(known.context))
  return {
    status: known.status,
    headers,
    // The error's `context` may come from the author's code, so it may contain values that plain JSON does not
    // have.
    body: reply.isExtended ? encodeExtended(body) : JSON.stringify(body, plainValue),
  }
}

// Returns the headers that every JSON response has.
function commonHeaders(reply: ReplyOptions, cacheControl: string): OutgoingAnswer["headers"] {
  const headers: OutgoingAnswer["headers"] = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": cacheControl,
    "content-security-policy": JSON_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-request-id": reply.requestId,
    "x-kit-version": WIRE_VERSION,
  }
  if (reply.isExtended) headers["x-extendedjson"] = "1"
  if (reply.hasLocales) headers["vary"] = "Accept-Language"
  return headers
}
