import { isObject } from "../../wire/codecs/is-object.ts"
import type { ApiErrorShape } from "../../wire/errors/api-error.ts"
import { QuestpieClientError } from "./client-error.ts"

const MAX_SHOWN_CHARACTERS = 80
const DONE_PERHAPS = "A write may still have been done."
const REACHABLE = "Is the server running, baseURL right, CORS set?"

/** The body of a response: its text, and the parsed value or the parse error. */
interface Body {
  readonly text: string
  readonly value?: unknown
  readonly cause?: unknown
}

/** Returns the error for a request that got no response, or only the start of a response. */
export function noAnswerError(url: string, cause: unknown, response: Response | undefined): QuestpieClientError {
  const message = response
    ? `The answer of ${withoutQuery(url)} broke off: ${reasonOf(cause)}. ${DONE_PERHAPS}`
    : `No answer from ${withoutQuery(url)}: ${reasonOf(cause)}. ${REACHABLE}`
  return withoutStatus(url, message, { cause })
}

export function timeoutError(url: string, timeout: number): QuestpieClientError {
  const message = `${withoutQuery(url)} did not answer within ${timeout} ms. ${DONE_PERHAPS}`
  return withoutStatus(url, message, { code: "TIMEOUT" })
}

/** Returns the error that the server sent, or an error which says that the response does not come from the API. */
export function answerError(url: string, response: Response, { text, value, cause }: Body): QuestpieClientError {
  const { status, statusText, headers } = response
  const said = apiErrorIn(value)
  const message =
    said?.message ?? `${withoutQuery(url)} answered ${status}, not as the API does: ${describeAnswer(response, text)}`
  const requestId = headers.get("x-request-id") ?? said?.requestId
  return new QuestpieClientError(message, { ...said, status, statusText, url, cause, requestId })
}

function withoutStatus(url: string, message: string, more: { cause?: unknown; code?: string }): QuestpieClientError {
  return new QuestpieClientError(message, { status: 0, statusText: "", url, ...more })
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*/s, "")
}

// Returns the reason for a failed fetch. Node's fetch gives the reason only in the error's `cause`, and sometimes only
// as a code.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const { message, name, code = name }: Error & { code?: unknown } = error
  return message || String(code)
}

function apiErrorIn(value: unknown): ApiErrorShape | undefined {
  // The response may come from any server, so `message` and `fieldErrors` are checked before they are used.
  const error = isObject(value) ? (value as { error?: Partial<ApiErrorShape> }).error : undefined
  const { message, fieldErrors = [] } = error ?? {}
  // The cast is safe: an error with `message` and `fieldErrors` comes from our own server, which also writes the
  // remaining properties.
  return typeof message === "string" && Array.isArray(fieldErrors) ? (error as ApiErrorShape) : undefined
}

function describeAnswer({ status, type, headers }: Response, text: string): string {
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    return `a redirect to ${withoutQuery(headers.get("location") ?? "elsewhere")}. Set baseURL to where the API is.`
  }
  const start = text.replace(/\s+/g, " ").slice(0, MAX_SHOWN_CHARACTERS)
  const hint =
    status >= 502 && status <= 504
      ? "A proxy did not reach it: is the server running?"
      : "Check baseURL, basePath and any proxy."
  return `${headers.get("content-type")} "${start}". ${hint}`
}
