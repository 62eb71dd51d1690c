import type { CallOptions } from "../wire/call-options.ts"
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
  /** There an author answers: with any JSON, or with a redirect. */
  readonly isRoute?: boolean
  /** The body is plain JSON, whatever the answer is. */
  readonly isPlain?: boolean
  /** Whether the response is not for us to read: it is the answer as it is. */
  readonly handsOver?: (response: Response) => boolean
}

export interface Failed {
  readonly error: QuestpieClientError
}

export type Outcome = { readonly value: unknown } | Failed
