import type { HeaderReader } from "./session-provider.ts"

/** A request as the HTTP server in use provides it. Its parts are read only when they are needed. */
export interface IncomingCall {
  readonly method: string
  /** The path as it was sent, still percent-encoded. */
  readonly path: string
  /** The query string without its question mark. */
  readonly query: string
  readonly headers: HeaderReader
  /** The remote address of the connection, if the HTTP server in use provides it. */
  readonly peerAddress: string | undefined
  /** True if the caller closed the connection, or aborted the request, before it was answered. */
  readonly hasLeft: boolean
  /** The body, or null when it is longer than `maxBytes`; nothing past the limit is read. */
  readBody(maxBytes: number): Promise<Uint8Array | null>
  /** The body as it comes in, of any length, with backpressure. A reader that stops early can still send an answer. */
  openBody(): AsyncIterable<Uint8Array>
  /**
   * The call as a web-standard request; its signal aborts when the caller has left. If the body is longer than
   * `maxBytes`, reading it fails with an error whose `code` is `BODY_TOO_LARGE`.
   */
  toRequest(maxBytes: number): Request
}

export interface OutgoingAnswer {
  readonly status: number
  /** The server owns this object from here on, and adds its own headers: the length, and `connection`. */
  readonly headers: Record<string, string | string[]>
  /** Present for HEAD too, where the server sends only its length. A stream is cancelled when the caller leaves. */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | OpenBody
  /** Called once the caller has received all of a text or bytes, or has left. */
  onEnded?(): void
}

/** A body of unlimited length, such as an event stream, that its creator writes piece by piece. */
export interface OpenBody {
  /** Called when the head has been sent and the body begins. */
  open(outlet: Outlet): OutletCallbacks
  /** Called in place of `open` if the body will not be read. */
  discard(): void
}

/** The writable side of an open body. */
export interface Outlet {
  /** Always accepts the parts. Returns false if the caller is slow to receive them; `drained` is called later. */
  write(...parts: readonly (string | Uint8Array)[]): boolean
  /** Ends the body after everything written so far. */
  end(): void
  /** Ends the body immediately and drops unsent data. */
  destroy(): void
}

export interface OutletCallbacks {
  /** The caller has received everything written so far. */
  onDrained(): void
  /** The server is about to stop, and waits for the body to end. */
  onClosing(): void
  /** The caller has left, or the body has ended: nothing more can be written. */
  onClosed(): void
}

/** Always answers, and never throws; synchronously if there is nothing to wait for. */
export type CallHandler = (call: IncomingCall) => OutgoingAnswer | Promise<OutgoingAnswer>
