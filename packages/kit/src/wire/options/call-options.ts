/** Headers by case-insensitive name; a header that is undefined is not sent. */
export type HeaderMap = Headers | Readonly<Record<string, string | undefined>>

/** The options of every call of the client, beside those of the operation. They are not sent as options. */
export interface CallOptions {
  /** Aborts the call, also while the response arrives; the call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call; overrides the timeout of the client. Infinity means no timeout. */
  readonly timeout?: number | undefined
  /** For this request only; overrides all other headers of the same name. */
  readonly headers?: HeaderMap | undefined
}
