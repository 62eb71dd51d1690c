import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { OpenBody, OutgoingAnswer, Outlet } from "../../ports/http.ts"
import { sharedChunk } from "./shared-chunk.ts"

/** The event that is emitted on the response of each active request when the server begins to stop. */
export const CLOSING = "closing"

export function isOpenBody(body: OutgoingAnswer["body"]): body is OpenBody {
  return typeof body === "object" && "discard" in body
}

/** An open body, and the response on which it is sent. The response headers must already be written. */
interface OpenAnswer {
  readonly response: ServerResponse
  readonly body: OpenBody
  /**
   * The connection of the response, if chunks can be written to it directly: the response uses the chunked transfer
   * coding, and nobody else writes to it. Otherwise undefined.
   */
  readonly chunkedSocket: Socket | undefined
}

/** Starts a response body that stays open, such as an event stream. */
export function openBody({ response, body, chunkedSocket }: OpenAnswer): void {
  response.flushHeaders()
  const outlet = new NodeOutlet(response, chunkedSocket)
  const listener = body.open(outlet)
  // The response reports only those drains of the connection that its own writes wait for.
  const onDrain = () => outlet.drained() && listener.onDrained()
  response.on("drain", onDrain)
  chunkedSocket?.on("drain", onDrain)
  response.once("close", () => {
    chunkedSocket?.off("drain", onDrain)
    listener.onClosed()
  })
  response.once(CLOSING, () => listener.onClosing())
}

class NodeOutlet implements Outlet {
  readonly #response: ServerResponse
  readonly #chunkedSocket: Socket | undefined
  #isFull = false

  constructor(response: ServerResponse, chunkedSocket: Socket | undefined) {
    this.#response = response
    this.#chunkedSocket = chunkedSocket
  }

  write(...parts: readonly (string | Uint8Array)[]): boolean {
    const { destroyed, writableEnded } = this.#response
    // The client has disconnected, or the response has ended. The body's owner learns that from `onClosed`.
    if (destroyed || writableEnded) return true
    const hasRoom = parts.length === 1 ? this.#writeOne(parts[0]) : this.#writeTogether(parts)
    if (!hasRoom) this.#isFull = true
    return hasRoom
  }

  end(): void {
    this.#response.end()
  }

  destroy(): void {
    this.#response.destroy()
  }

  /** Returns true if the client has received everything since `write` returned false, and not more than once. */
  drained(): boolean {
    // The response and the connection report the same drain, and something may have been written in between.
    if (!this.#isFull || this.#chunkedSocket?.writableNeedDrain) return false
    this.#isFull = false
    return true
  }

  // Bytes in a single part are usually meant for many clients. They are written to the connection as one chunk that all
  // of them share: for 1,000 clients this takes two thirds of the time that `response.write` takes, which makes each
  // chunk of four pieces.
  #writeOne(part: string | Uint8Array | undefined): boolean {
    const socket = this.#chunkedSocket
    if (!socket?.writable || typeof part === "string" || !part?.length) return this.#response.write(part)
    return socket.write(sharedChunk(part))
  }

  #writeTogether(parts: readonly (string | Uint8Array)[]): boolean {
    const response = this.#response
    response.cork()
    for (const part of parts) response.write(part)
    response.uncork()
    return !response.writableNeedDrain
  }
}
