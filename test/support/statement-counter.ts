const EXECUTE = "E".charCodeAt(0)
const SIMPLE_QUERY = "Q".charCodeAt(0)
const TYPE_BYTES = 1
// The size of an empty query (a type, a length and a zero byte), with which an idle connection is checked.
const SIGN_OF_LIFE_BYTES = 6
// The check for tables that another version has changed, and the setting that such checks change.
const OWN_TEXTS = ['select xmin::text from "_kit_schema"', "set lock_timeout = ", "reset lock_timeout"]
// The application name of the bus connection, which sends at any time, independently of requests.
const BUS = "application_name\0kit bus\0"

/** Reads the bytes that a client sends to PostgreSQL and counts the statements, BEGIN and COMMIT included. */
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

  // True for messages that are sent independently of requests.
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
