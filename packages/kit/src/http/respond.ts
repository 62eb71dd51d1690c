import type { Answer, JsonAnswer } from "../engine/answer.ts"
import type { OutgoingAnswer } from "../ports/http.ts"
import { ApiError, type ApiErrorShape } from "../wire/api-error.ts"
import { type ExtendedMeta, encodeExtended, encodeWithMeta, wrapWithMeta } from "../wire/extended-json.ts"
import type { PageAnswer } from "./endpoint.ts"

/** The wire only grows; a change that is not compatible would be gated by this date. */
export const WIRE_VERSION = "2026-11-15"

export interface Reply {
  readonly requestId: string
  readonly isExtended: boolean
}

/** A page, which nobody but its reader may keep. */
export function answerPage({ page, headers }: PageAnswer, reply: Reply): OutgoingAnswer {
  const own = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }
  return { status: 200, headers: { ...headersFor({ ...reply, isExtended: false }), ...own, ...headers }, body: page }
}

/** A result as JSON; records belong to the caller alone and are never served from a cache unchecked. */
export function answerJson(answer: Answer<unknown> | JsonAnswer, reply: Reply): OutgoingAnswer {
  const body = "json" in answer ? writtenBody(answer, reply) : valueBody(answer, reply)
  const headers = headersFor(reply)
  headers["cache-control"] = "private, no-cache"
  if (answer.headers) Object.assign(headers, answer.headers)
  return { status: answer.status ?? 200, headers, body }
}

function writtenBody({ json, meta }: JsonAnswer, { isExtended }: Reply): string {
  return isExtended ? wrapWithMeta(json, meta()) : json
}

function valueBody(answer: Answer<unknown>, reply: Reply): string {
  return answer.isAuthored ? authoredJson(answer.value, reply) : recordsJson(answer, reply)
}

/** An error as JSON; what is not an `ApiError` says nothing about its cause. */
export function answerError(error: unknown, reply: Reply): OutgoingAnswer {
  const known = error instanceof ApiError ? error : new ApiError("INTERNAL_SERVER_ERROR")
  const shape: ApiErrorShape = {
    code: known.code,
    message: known.message,
    ...(known.fieldErrors && { fieldErrors: known.fieldErrors }),
    ...(known.context && { context: known.context }),
    requestId: reply.requestId,
  }
  const body = { error: shape }
  const headers = headersFor(reply)
  headers["cache-control"] = "no-store"
  const allow = known.code === "METHOD_NOT_ALLOWED" ? known.context?.["allow"] : undefined
  if (Array.isArray(allow)) headers["allow"] = allow.join(", ")
  if (known.code === "SERVICE_UNAVAILABLE") headers["retry-after"] = "1"
  return {
    status: known.status,
    headers,
    // The details may come from an author, so they are searched for what plain JSON cannot hold.
    body: reply.isExtended ? encodeExtended(body) : JSON.stringify(body, bigintsAsText),
  }
}

function headersFor(reply: Reply): OutgoingAnswer["headers"] {
  const headers: OutgoingAnswer["headers"] = {
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-request-id": reply.requestId,
    "x-kit-version": WIRE_VERSION,
  }
  if (reply.isExtended) headers["x-extendedjson"] = "1"
  return headers
}

function recordsJson(answer: Answer<unknown>, { isExtended }: Reply): string {
  const meta = answer.meta()
  return isExtended ? encodeWithMeta(answer.value, meta) : plainJson(answer.value, meta)
}

function authoredJson(value: unknown, { isExtended }: Reply): string {
  return isExtended ? encodeExtended(value) : JSON.stringify(value, bigintsAsText)
}

// Plain JSON has no big integers: they are written as strings of digits.
function plainJson(value: unknown, meta: ExtendedMeta | undefined): string {
  const hasBigInts = meta !== undefined && Object.values(meta).includes("BigInt")
  return hasBigInts ? JSON.stringify(value, bigintsAsText) : JSON.stringify(value)
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
