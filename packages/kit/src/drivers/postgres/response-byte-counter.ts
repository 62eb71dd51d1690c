import type pg from "pg"
import type { Statement } from "../../ports/database.ts"

type CheckBytes = NonNullable<Statement["checkBytes"]>

/** Counts the bytes of the response to a statement, and lets its `checkBytes` refuse the rest. */
export class ResponseByteCounter {
  readonly #refuse: (reason: Error) => void
  #checkBytes: CheckBytes | undefined
  #bytes = 0

  /** `refuse` must close the connection, because the server stops sending only then. */
  constructor(refuse: (reason: Error) => void) {
    this.#refuse = refuse
  }

  /** Begins to count. The client must be connected, because TLS replaces its stream during the connect. */
  attach(client: pg.Client): void {
    // Runs before the handler of `pg`, which buffers a long row completely before it emits it.
    client.connection.stream.prependListener("data", (chunk: Uint8Array) => this.#count(chunk.length))
  }

  /** Resets the count for the next statement. Without a check nothing is counted. */
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
