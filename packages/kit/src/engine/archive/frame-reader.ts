import { createHash } from "node:crypto"
import { ArchiveError } from "./archive-error.ts"
import { FRAME, FRAME_HEAD_BYTES, MAX_FRAME_BYTES } from "./archive-format.ts"

interface Frame {
  readonly kind: number
  readonly content: Buffer
}

/** Reads the frames of an archive in their order. Throws an `ArchiveError` if the archive is damaged. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #hash = createHash("sha256")
  /** The bytes that have arrived and are not part of a frame yet. */
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #next: Frame | undefined

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** Returns the kind of the next frame without reading past it. */
  async peek(): Promise<number> {
    this.#next ??= await this.#readFrame()
    return this.#next.kind
  }

  /** Returns the value of the next frame, which must be of this kind. */
  async readJson(kind: number): Promise<unknown> {
    return JSON.parse((await this.#take(kind)).toString())
  }

  /** Yields the content of the data frames that come next. */
  async *readData(): AsyncGenerator<Uint8Array> {
    while ((await this.peek()) === FRAME.data) yield await this.#take(FRAME.data)
  }

  /** Reads the last frame. Throws unless it has the hash of all frames before it, and nothing follows. */
  async readEnd(): Promise<void> {
    const value = await this.readJson(FRAME.end)
    const { done } = await this.#chunks.next()
    const isWhole = done === true && this.#waitingBytes === 0
    if (!isWhole || JSON.stringify(value) !== JSON.stringify({ sha256: this.#hash.digest("hex") })) throw damaged()
  }

  /** Closes the archive, if it has not been read to its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #take(kind: number): Promise<Buffer> {
    if ((await this.peek()) !== kind || this.#next === undefined) throw damaged()
    const { content } = this.#next
    this.#next = undefined
    return content
  }

  async #readFrame(): Promise<Frame> {
    const head = await this.#readBytes(FRAME_HEAD_BYTES)
    const length = head.readUInt32BE(1)
    if (length > MAX_FRAME_BYTES) throw damaged()
    const content = await this.#readBytes(length)
    const kind = head.readUInt8()
    // The last frame holds the hash of the frames before it, so it is not part of the hash itself.
    if (kind !== FRAME.end) this.#hash.update(head).update(content)
    return { kind, content }
  }

  async #readBytes(count: number): Promise<Buffer> {
    while (this.#waitingBytes < count) {
      const { done, value } = await this.#chunks.next()
      if (done) throw new ArchiveError("The archive is incomplete: it ends too early. Nothing was restored.")
      this.#waiting.push(value)
      this.#waitingBytes += value.length
    }
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = [bytes.subarray(count)]
    this.#waitingBytes = bytes.length - count
    return bytes.subarray(0, count)
  }
}

/** Returns the error for an archive whose content is not what was written. */
export function damaged(): ArchiveError {
  return new ArchiveError("The archive is damaged. Nothing was restored; use another copy of it.")
}
