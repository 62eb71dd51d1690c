import type pg from "pg"
import type { Statement } from "../../ports/database.ts"

type CheckBytes = NonNullable<Statement["checkBytes"]>

/**
 * Counts the bytes of the server's response to a statement. The statement's callback `checkBytes` can refuse the rest
 * of the response.
 */
export class ResponseByteCounter {
  readonly #refuse: (reason: Error) => void
  #checkBytes: CheckBytes | undefined
  #bytes = 0

  /** The callback `refuse` must close the connection, because only that makes the server stop sending. */
  constructor(refuse: (reason: Error) => void) {
    this.#refuse = refuse
  }

  /**
   * Begins to count the bytes that a client receives. The client must be connected, because TLS replaces the client's
   * stream during the connect.
   */
  attach(client: pg.Client): void {
    // This listener runs before the listener of `pg`, which buffers a long row completely before it emits the row.
    client.connection.stream.prependListener("data", (chunk: Uint8Array) => this.#count(chunk.length))
  }

  /** Resets the byte count for the next statement. Without the callback `checkBytes`, nothing is counted. */
  begin(checkBytes: CheckBytes | undefined): void {
    this.#checkBytes = checkBytes
    this.#bytes = 0
  }

  #count(bytes: number): void {
    if (this.#checkBytes === undefined) return
    this.#bytes += bytes
    const reason = this.#checkBytes(this.#bytes)
    if (reason === undefined) return
    this.#checkBytes = undefined
    this.#refuse(reason)
  }
}
