/** Headers by name, in any case; one that is undefined is not sent. */
export type HeaderMap = Headers | Readonly<Record<string, string | undefined>>

/** What every call of the client takes besides what it asks for; no part of it is sent as an option. */
export interface CallOptions {
  /** Ends the call, also while the answer arrives; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, in place of those of the client; Infinity waits as long as it takes. */
  readonly timeout?: number | undefined
  /** For this request only; wins over all other headers of the same name. */
  readonly headers?: HeaderMap | undefined
}
