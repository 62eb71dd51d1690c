import type { CallOptions } from "../../wire/options/call-options.ts"
import type { QuestpieClientError } from "./client-error.ts"

/** One request and what it takes for an answer. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With its query string. */
  readonly path: string
  readonly body?: unknown
  readonly options?: CallOptions | undefined
  /** Tells an answer from other JSON; any object is one unless this says otherwise. */
  readonly accepts?: (value: unknown) => boolean
  /** There an author answers: with any JSON, with a redirect, or with a response that is not for us to read. */
  readonly isRoute?: boolean
  /** There a stream is answered, as the response that it is; the body is plain JSON. */
  readonly isStream?: boolean
}

export interface Failed {
  readonly error: QuestpieClientError
}

export type Outcome = { readonly value: unknown } | Failed
