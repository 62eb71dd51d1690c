const EXECUTE = "E".charCodeAt(0)
const SIMPLE_QUERY = "Q".charCodeAt(0)
const TYPE_BYTES = 1
// A type, a length, and the zero that ends a text of nothing: how a connection that was idle is asked whether it lives.
const SIGN_OF_LIFE_BYTES = 6
// The look whether another version has changed the tables, and the setting that differs between callers and such looks.
const OWN_TEXTS = ['select xmin::text from "_kit_schema"', "set lock_timeout = ", "reset lock_timeout"]
// How the connection introduces itself on which a process speaks to others: at moments of its own, beside all requests.
const BUS = "application_name\0kit bus\0"

/** Reads what a client sends to Postgres and counts the statements in it, BEGIN and COMMIT included. */
export class StatementCounter {
  count = 0
  isBus = false
  #pending: Buffer = Buffer.alloc(0)
  /** The first message of a connection has no type. */
  #isStarted = false

  read(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk])
    for (let size = this.#nextSize(); size !== undefined; size = this.#nextSize()) {
      const type = this.#isStarted ? this.#pending[0] : undefined
      if (type === EXECUTE || (type === SIMPLE_QUERY && !this.#isOwn(size))) this.count += 1
      if (!this.#isStarted) this.isBus = this.#pending.subarray(0, size).includes(BUS)
      this.#isStarted = true
      this.#pending = this.#pending.subarray(size)
    }
  }

  // Sent at moments of their own.
  #isOwn(size: number): boolean {
    const message = this.#pending.subarray(0, size)
    return size <= SIGN_OF_LIFE_BYTES || OWN_TEXTS.some((text) => message.includes(text))
  }

  #nextSize(): number | undefined {
    const offset = this.#isStarted ? TYPE_BYTES : 0
    if (this.#pending.length < offset + 4) return undefined
    const size = offset + this.#pending.readInt32BE(offset)
    return this.#pending.length < size ? undefined : size
  }
}
