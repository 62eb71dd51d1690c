import type { HeaderReader } from "./session-provider.ts"

/** A request as the server at hand gives it, read only as far as somebody asks. */
export interface IncomingCall {
  readonly method: string
  /** The path as it was sent, still percent-encoded. */
  readonly path: string
  /** The query string without its question mark. */
  readonly query: string
  readonly headers: HeaderReader
  /** The address at the other end of the connection, where the server at hand knows it. */
  readonly peerAddress: string | undefined
  /** Whether the caller has closed the connection, or given up on the call, before it was answered. */
  readonly hasLeft: boolean
  /** The body, or null when it is longer than `maxBytes`; nothing past the limit is read. */
  readBody(maxBytes: number): Promise<Uint8Array | null>
  /** The body as it comes in, however long it is, and no faster than it is taken. Whoever stops early can still answer. */
  openBody(): AsyncIterable<Uint8Array>
  /**
   * The call as a web-standard request; its signal aborts when the caller is gone. Past `maxBytes` its body fails with an
   * error whose `code` is `BODY_TOO_LARGE`.
   */
  toRequest(maxBytes: number): Request
}

export interface OutgoingAnswer {
  readonly status: number
  /** Belongs to the server from now on, which adds what it knows: the length, and whether the connection stays open. */
  readonly headers: Record<string, string | string[]>
  /** Given for HEAD too, where the server sends only its length. A stream is cancelled when the caller goes away. */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | OpenBody
  /** Called once the caller has taken all of a text or bytes, or is gone. */
  ended?(): void
}

/** A body that goes on for as long as both sides like, written by whoever made it. */
export interface OpenBody {
  /** The head is sent, and the body begins. */
  open(outlet: Outlet): OutletListener
  /** Called in place of `open` where nobody reads the answer. */
  discard(): void
}

/** Where an open body is written to. */
export interface Outlet {
  /** Takes the parts in any case; false when the caller is slow to take them, until `drained` is called. */
  write(...parts: readonly (string | Uint8Array)[]): boolean
  /** Ends the body after what was written. */
  end(): void
  /** Ends it at once, whatever waits. */
  destroy(): void
}

export interface OutletListener {
  /** The caller has taken all that was written. */
  drained(): void
  /** The server is about to stop, and waits for the end of the body. */
  closing(): void
  /** The caller is gone, or the body has ended: nothing more can be written. */
  closed(): void
}

/** Answers whatever happens; at once where nothing has to be waited for. */
export type CallHandler = (call: IncomingCall) => OutgoingAnswer | Promise<OutgoingAnswer>
