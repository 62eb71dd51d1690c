import { Socket } from "node:net"
import { Duplex } from "node:stream"
import { boundStatements, describeBatch } from "./statement-batch.mjs"
import { splitMessages } from "./wire-messages.mjs"

const NOTHING = Buffer.alloc(0)
const READY = "Z"

/**
 * @typedef {object} Recording what all connections of the process share
 * @property {boolean} isReplayed            false while the answers come from the server
 * @property {Map<string, Buffer>} answers   the last answer of the server to each batch
 * @property {number} statements             sent so far
 * @property {import("./statement-batch.mjs").BoundStatement[] | undefined} captured
 *   the statements that are sent, while they are kept
 */

/** @typedef {{ key: string, answer?: Buffer }} Turn a batch without an answer; `answer` is the recorded one */

/** @returns {Recording} */
export function newRecording() {
  return { isReplayed: false, answers: new Map(), statements: 0, captured: undefined }
}

/**
 * A connection to PostgreSQL that records the server's answers, and gives them again without asking the server. The
 * values of the parameters do not matter: a statement gets the answer that it got the last time.
 */
export class RecordedSocket extends Duplex {
  #recording
  #server = new Socket()
  #isStarted = false
  #unsent = NOTHING
  #unread = NOTHING
  /** @type {import("./statement-batch.mjs").Names} */
  #names = new Map()
  /** The batches without an answer, in the order in which they were sent. @type {Turn[]} */
  #turns = []
  bytesRead = 0
  bytesWritten = 0

  /** @param {Recording} recording */
  constructor(recording) {
    super()
    this.#recording = recording
    this.#server.on("data", (chunk) => this.#receive(chunk))
    this.#server.on("end", () => this.#end())
    this.#server.on("error", (error) => this.destroy(error))
    this.#server.on("close", () => this.destroy())
    this.#server.on("connect", () => this.emit("connect"))
  }

  /** @param {number} port @param {string} host */
  connect(port, host) {
    this.#server.connect(port, host)
    return this
  }

  setNoDelay() {
    this.#server.setNoDelay(true)
    return this
  }

  /** @param {boolean} isOn @param {number} delayMs */
  setKeepAlive(isOn, delayMs) {
    this.#server.setKeepAlive(isOn, delayMs)
    return this
  }

  ref() {
    this.#server.ref()
    return this
  }

  unref() {
    this.#server.unref()
    return this
  }

  _read() {}

  /** @param {Buffer} chunk @param {string} _encoding @param {() => void} done */
  _write(chunk, _encoding, done) {
    this.#send(chunk)
    done()
  }

  /** @param {{ chunk: Buffer }[]} writes @param {() => void} done */
  _writev(writes, done) {
    this.#send(Buffer.concat(writes.map(({ chunk }) => chunk)))
    done()
  }

  /** @param {() => void} done */
  _final(done) {
    this.#server.end()
    done()
  }

  /** @param {Error | null} error @param {(error: Error | null) => void} done */
  _destroy(error, done) {
    this.#server.destroy()
    done(error)
  }

  /** @param {Buffer} chunk */
  #send(chunk) {
    this.bytesWritten += chunk.length
    // The messages before the session is ready have another form; they are not recorded.
    if (!this.#isStarted) return void this.#server.write(chunk)
    this.#unsent = this.#unsent.length === 0 ? chunk : Buffer.concat([this.#unsent, chunk])
    for (;;) {
      const batch = describeBatch(this.#unsent, this.#names)
      if (!batch.isComplete) return
      this.#sendBatch(this.#unsent.subarray(0, batch.end), batch)
      this.#unsent = this.#unsent.subarray(batch.end)
    }
  }

  /** @param {Buffer} bytes @param {import("./statement-batch.mjs").Batch} batch */
  #sendBatch(bytes, batch) {
    const recording = this.#recording
    recording.statements += batch.statements
    recording.captured?.push(...boundStatements(bytes, this.#names))
    const known = recording.isReplayed ? recording.answers.get(batch.key) : undefined
    if (known !== undefined) {
      this.#turns.push({ key: batch.key, answer: known })
      return void setImmediate(() => this.#giveRecorded())
    }
    if (batch.isAnswered) this.#turns.push({ key: batch.key })
    this.#server.write(bytes)
  }

  /** @param {Buffer} chunk */
  #receive(chunk) {
    const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    let from = 0
    for (const { type, end } of splitMessages(bytes).messages) {
      if (type !== READY) continue
      this.#endTurn(bytes.subarray(from, end))
      from = end
    }
    this.#unread = bytes.subarray(from)
    // A message that nobody has asked for, such as a notification, is passed on immediately.
    if (this.#turns.length === 0) this.#giveUnread()
  }

  /** @param {Buffer} answer */
  #endTurn(answer) {
    this.#giveRecorded()
    if (this.#isStarted) this.#recording.answers.set(String(this.#turns.shift()?.key), Buffer.from(answer))
    this.#isStarted = true
    this.#give(answer)
    this.#giveRecorded()
  }

  /** Gives the recorded answers whose turn has come. */
  #giveRecorded() {
    while (this.#turns[0]?.answer !== undefined) this.#give(this.#turns.shift()?.answer)
  }

  #giveUnread() {
    const bytes = this.#unread
    this.#unread = NOTHING
    if (bytes.length > 0) this.#give(bytes)
  }

  #end() {
    this.#giveUnread()
    this.push(null)
  }

  /** @param {Buffer | undefined} bytes */
  #give(bytes = NOTHING) {
    this.bytesRead += bytes.length
    this.push(bytes)
  }
}
