import type pg from "pg"
import type { Statement } from "../ports/database.ts"

type CheckBytes = NonNullable<Statement["checkBytes"]>

interface Receipt {
  readonly checkBytes: CheckBytes
  readonly refuse: (reason: Error) => void
  bytes: number
}

/** Counts the bytes that the server sends in answer to a statement, and lets whoever waits for them refuse the rest. */
export class Receipts {
  readonly #giveUp: (reason: Error) => void
  #current: Receipt | undefined

  /** `giveUp` ends the connection: the server stops only then. */
  constructor(giveUp: (reason: Error) => void) {
    this.#giveUp = giveUp
  }

  /** Watches a client that is connected: an encrypted connection has another stream before. */
  listen(client: pg.Client): void {
    // Before `pg` looks at the bytes: it keeps a long row as a whole before it tells of it.
    client.connection.stream.prependListener("data", (chunk: Uint8Array) => this.#count(chunk.length))
  }

  /** The answer, or the reason to refuse it as soon as there is one. */
  watch<Answer>(checkBytes: CheckBytes, answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const receipt: Receipt = { checkBytes, refuse: reject, bytes: 0 }
      this.#current = receipt
      answer.then(resolve, reject).finally(() => {
        if (this.#current === receipt) this.#current = undefined
      })
    })
  }

  #count(bytes: number): void {
    const receipt = this.#current
    if (receipt === undefined) return
    receipt.bytes += bytes
    const reason = receipt.checkBytes(receipt.bytes)
    if (reason === undefined) return
    this.#current = undefined
    receipt.refuse(reason)
    this.#giveUp(reason)
  }
}
