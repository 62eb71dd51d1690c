/** HTTP headers by case-insensitive name. A header whose value is undefined is not sent. */
export type HeaderMap = Headers | Readonly<Record<string, string | undefined>>

/**
 * The options that every client call accepts in addition to the options of its operation. The client uses them itself
 * and does not send them as options.
 */
export interface CallOptions {
  /** Aborts the call, even while the response is being received. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The timeout of the whole call in milliseconds; overrides the client's timeout. Infinity means no timeout. */
  readonly timeout?: number | undefined
  /** HTTP headers for this request only. They override all other headers of the same name. */
  readonly headers?: HeaderMap | undefined
}
