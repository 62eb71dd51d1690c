import type { CallOptions } from "../../wire/options/call-options.ts"
import type { QuestpieClientError } from "./client-error.ts"

/** One request, and which answers it accepts. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The path with its query string. */
  readonly path: string
  readonly body?: unknown
  readonly options?: CallOptions | undefined
  /** Recognizes the expected answer among other JSON; by default any object. */
  readonly accepts?: (value: unknown) => boolean
  /** A custom route: its author may answer with any JSON, a redirect, or a response that the client returns unread. */
  readonly isRoute?: boolean
  /** The answer is a stream, returned as its Response; the body is plain JSON. */
  readonly isStream?: boolean
}

export interface FailedCall {
  readonly error: QuestpieClientError
}

export type Outcome = { readonly value: unknown } | FailedCall
