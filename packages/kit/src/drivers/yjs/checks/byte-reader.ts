import { Refusal } from "./refusal.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Reads the numbers and texts of an update. It refuses everything that Yjs would read in another way, or not at all. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #place = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#place === this.#bytes.length
  }

  get place(): number {
    return this.#place
  }

  /** Returns the bytes from a place up to the present one. */
  bytesFrom(place: number): Uint8Array {
    return this.#bytes.subarray(place, this.#place)
  }

  byte(): number {
    const byte = this.#bytes[this.#place]
    if (byte === undefined) throw new Refusal("The update ends too early.")
    this.#place++
    return byte
  }

  /** Reads a whole number: seven bits in each byte, the lowest first. */
  number(): number {
    return this.#digits(0, 1)
  }

  /** Passes over a signed number, whose first byte has six bits and the sign. */
  skipSigned(): void {
    const first = this.byte()
    if (first > 0x7f) this.#digits(first & 0x3f, 0x40)
  }

  skip(length: number): void {
    this.#place = this.#endOf(length)
  }

  text(): string {
    const length = this.number()
    const end = this.#endOf(length)
    const bytes = this.#bytes.subarray(this.#place, end)
    this.#place = end
    try {
      return utf8.decode(bytes)
    } catch (cause) {
      throw new Refusal("The update contains a text that is not UTF-8.", { cause })
    }
  }

  /** Passes over a text. Returns its length in UTF-16 code units. */
  skipText(): number {
    const end = this.#endOf(this.number())
    let length = 0
    for (; this.#place < end; this.#place++) {
      const byte = this.#bytes[this.#place] ?? 0
      // The first byte of a character counts; characters of four bytes are surrogate pairs.
      if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
    }
    return length
  }

  #digits(start: number, firstFactor: number): number {
    let number = start
    for (let factor = firstFactor; ; factor *= 0x80) {
      const byte = this.byte()
      number += (byte & 0x7f) * factor
      if (number > Number.MAX_SAFE_INTEGER || factor > Number.MAX_SAFE_INTEGER) {
        throw new Refusal("The update contains a number that is too large.")
      }
      if (byte < 0x80) return number
    }
  }

  #endOf(length: number): number {
    const end = this.#place + length
    if (end > this.#bytes.length) throw new Refusal("The update ends too early.")
    return end
  }
}
