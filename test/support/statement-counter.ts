const PARSE = "P".charCodeAt(0)
const BIND = "B".charCodeAt(0)
const EXECUTE = "E".charCodeAt(0)
const SIMPLE_QUERY = "Q".charCodeAt(0)
const TYPE_BYTES = 1
const MESSAGE_HEAD_BYTES = TYPE_BYTES + 4
// The size of an empty query (a type, a length and a zero byte), with which an idle connection is checked.
const SIGN_OF_LIFE_BYTES = 6
// The check for tables that another version has changed, and the setting that such checks change.
const OWN_TEXTS = ['select xmin::text from "_kit_schema"', "set lock_timeout = ", "reset lock_timeout"]
// Parts of the statements that set up a new connection, which may be ready after another has answered the request, that
// publish messages a moment after a write, and that store which reads were slow.
const LATER_TEXTS = ["set_config(name, value, false)", "select pg_notify(channel, text)", '"_kit_slow_reads"']
// The application name of the bus connection, which sends at any time, independently of requests.
const BUS = "application_name\0kit bus\0"

/** Reads the bytes that a client sends to PostgreSQL and counts the statements of requests, BEGIN and COMMIT included. */
export class StatementCounter {
  count = 0
  isBus = false
  #pending: Buffer = Buffer.alloc(0)
  /** The first message of a connection has no type. */
  #isStarted = false
  /** The names of the prepared statements that are not of a request. */
  readonly #later = new Set<string>()
  #isBoundLater = false

  read(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk])
    for (let size = this.#nextSize(); size !== undefined; size = this.#nextSize()) {
      const type = this.#isStarted ? this.#pending[0] : undefined
      if (type === PARSE) this.#readParse(size)
      // The portal, which has no name, and the name of the statement.
      if (type === BIND) this.#isBoundLater = this.#later.has(this.#textAt(MESSAGE_HEAD_BYTES + 1))
      if (this.#isStatement(type, size)) this.count += 1
      if (!this.#isStarted) this.isBus = this.#pending.subarray(0, size).includes(BUS)
      this.#isStarted = true
      this.#pending = this.#pending.subarray(size)
    }
  }

  #readParse(size: number): void {
    const name = this.#textAt(MESSAGE_HEAD_BYTES)
    if (this.#includesAny(LATER_TEXTS, size)) this.#later.add(name)
    else this.#later.delete(name)
  }

  #isStatement(type: number | undefined, size: number): boolean {
    if (type === EXECUTE) return !this.#isBoundLater
    return type === SIMPLE_QUERY && !this.#isOwn(size)
  }

  // True for messages that are sent independently of requests.
  #isOwn(size: number): boolean {
    return size <= SIGN_OF_LIFE_BYTES || this.#includesAny(OWN_TEXTS, size)
  }

  #includesAny(texts: readonly string[], size: number): boolean {
    const message = this.#pending.subarray(0, size)
    return texts.some((text) => message.includes(text))
  }

  #textAt(offset: number): string {
    return this.#pending.toString("latin1", offset, this.#pending.indexOf(0, offset))
  }

  #nextSize(): number | undefined {
    const offset = this.#isStarted ? TYPE_BYTES : 0
    if (this.#pending.length < offset + 4) return undefined
    const size = offset + this.#pending.readInt32BE(offset)
    return this.#pending.length < size ? undefined : size
  }
}
