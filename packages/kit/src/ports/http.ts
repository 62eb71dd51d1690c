import type { HeaderReader } from "./session-provider.ts"

/** A request as the server at hand gives it, read only as far as somebody asks. */
export interface IncomingCall {
  readonly method: string
  /** The path as it was sent, still percent-encoded. */
  readonly path: string
  /** The query string without its question mark. */
  readonly query: string
  readonly headers: HeaderReader
  /** The body, or null when it is longer than `maxBytes`; nothing past the limit is read. */
  readBody(maxBytes: number): Promise<Uint8Array | null>
}

export interface OutgoingAnswer {
  readonly status: number
  /** Belongs to the server from now on, which adds what it knows: the length, and whether the connection stays open. */
  readonly headers: Record<string, string>
  /** Given for HEAD too, where the server sends only its length. */
  readonly body: string
}

export type CallHandler = (call: IncomingCall) => Promise<OutgoingAnswer>
