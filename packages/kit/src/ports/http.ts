import type { HeaderReader } from "./session-provider.ts"

/** A request as the HTTP server in use provides it. Its body and other parts are read only when they are needed. */
export interface IncomingCall {
  readonly method: string
  /** The URL path as it was sent, still percent-encoded. */
  readonly path: string
  /** The URL's query string, without the question mark. */
  readonly query: string
  readonly headers: HeaderReader
  /** The connection's remote IP address, if the HTTP server in use provides it. */
  readonly peerAddress: string | undefined
  /** True if the connection to this process is encrypted (https). A proxy in front of it may be reached otherwise. */
  readonly isEncrypted: boolean
  /** True if the caller closed the connection or aborted the request before the response was sent. */
  readonly hasLeft: boolean
  /** False if the request has no body. If it is true, the body may still be empty. */
  readonly hasBody: boolean
  /** Returns the request body, or null if the body is longer than `maxBytes`. Nothing past that limit is read. */
  readBody(maxBytes: number): Promise<Uint8Array | null>
  /**
   * Yields the request body as it comes in, at any length, with backpressure. If the reader stops early, a response can
   * still be sent.
   */
  openBody(): AsyncIterable<Uint8Array>
  /**
   * Returns the call as a web-standard request, whose signal aborts when the caller has left. If the body is longer
   * than `maxBytes`, reading it fails with an error whose `code` is `BODY_TOO_LARGE`.
   */
  toRequest(maxBytes: number): Request
}

export interface OutgoingAnswer {
  readonly status: number
  /**
   * The response headers. Once the response is returned, this object belongs to the HTTP server, which adds the headers
   * for the body's length and for the connection.
   */
  readonly headers: Record<string, string | string[]>
  /**
   * The response body. It is also set for a HEAD request, where the server sends only the body's length. A stream is
   * cancelled when the caller leaves.
   */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | OpenBody
  /** Called once the caller has left or, if the body is a string or bytes, has received the complete body. */
  onEnded?(): void
  /**
   * Called once, when the response has ended: with true if all of it was sent, with false if the caller left before
   * that.
   */
  onClosed?(isComplete: boolean): void
}

/** A response body of unlimited length, such as an event stream, that its creator writes piece by piece. */
export interface OpenBody {
  /** Called when the response headers have been sent and the body begins. */
  open(outlet: Outlet): OutletCallbacks
  /** Called in place of `open` if the body will not be read. */
  discard(): void
}

/** Writes to an open response body. */
export interface Outlet {
  /**
   * Always accepts the parts. Returns false if the caller receives them more slowly than they are written; `onDrained`
   * is called once the caller has received everything. If the same bytes are written to many outlets, each time as the
   * only part, the HTTP server may encode them once for all; they must not be modified afterwards.
   */
  write(...parts: readonly (string | Uint8Array)[]): boolean
  /** Ends the response body after everything written so far. */
  end(): void
  /** Ends the response body immediately and drops unsent data. */
  destroy(): void
}

export interface OutletCallbacks {
  /** Called when the caller has received everything written so far. */
  onDrained(): void
  /** Called when the HTTP server is about to stop and waits for the response body to end. */
  onClosing(): void
  /** Called when the caller has left or the response body has ended. Nothing more can be written. */
  onClosed(): void
}

/**
 * Returns a response for every call and never throws. The response is returned synchronously if there is nothing to
 * wait for.
 */
export type CallHandler = (call: IncomingCall) => OutgoingAnswer | Promise<OutgoingAnswer>
