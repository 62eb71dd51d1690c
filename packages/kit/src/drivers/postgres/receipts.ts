import type pg from "pg"
import type { Statement } from "../../ports/database.ts"

type CheckBytes = NonNullable<Statement["checkBytes"]>

/** Counts the bytes that the server sends in answer to a statement, and lets whoever waits for them refuse the rest. */
export class Receipts {
  readonly #refuse: (reason: Error) => void
  #checkBytes: CheckBytes | undefined
  #bytes = 0

  /** `refuse` ends the connection: the server stops only then. */
  constructor(refuse: (reason: Error) => void) {
    this.#refuse = refuse
  }

  /** Watches a client that is connected: an encrypted connection has another stream before. */
  listen(client: pg.Client): void {
    // Before `pg` looks at the bytes: it keeps a long row as a whole before it tells of it.
    client.connection.stream.prependListener("data", (chunk: Uint8Array) => this.#count(chunk.length))
  }

  /** Counts for the next statement; without a check nothing is counted. */
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
