import type { CallOptions } from "../../wire/options/call-options.ts"
import type { QuestpieClientError } from "./client-error.ts"

/** One request to the server, and the kinds of response that the request accepts. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The URL path with its query string. */
  readonly path: string
  readonly body?: unknown
  /** A binary body, in place of `body`. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** True if the browser should finish the request although the user leaves the page. */
  readonly keepalive?: boolean
  readonly options?: CallOptions | undefined
  /** True if the client accepts this JSON value as the response. By default, it accepts any object. */
  readonly accepts?: (value: unknown) => boolean
  /**
   * True for a custom route. Its author may respond with any JSON, a redirect, or another response that the client
   * returns unread.
   */
  readonly isRoute?: boolean
  /**
   * True if the response is a stream, which the client returns as a Response object. The request body is then plain
   * JSON.
   */
  readonly isStream?: boolean
  /** Called with the response before its body is read. */
  readonly onResponse?: (response: Response) => void
}

export interface FailedCall {
  readonly error: QuestpieClientError
}

export type Outcome = { readonly value: unknown } | FailedCall
