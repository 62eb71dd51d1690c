/** Reads the numbers and texts of the binary formats of Yjs. A number is stored in groups of seven bits, lowest first. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Reads a whole number. Returns undefined if the bytes end before it, or if it is not exact in JavaScript. */
  readNumber(): number | undefined {
    let number = 0
    let factor = 1
    while (this.#at < this.#bytes.length && factor <= Number.MAX_SAFE_INTEGER) {
      const byte = this.#bytes[this.#at++] ?? 0
      number += (byte % GROUP) * factor
      if (byte < GROUP) return number <= Number.MAX_SAFE_INTEGER ? number : undefined
      factor *= GROUP
    }
    return undefined
  }

  /** Reads bytes that their length precedes. Returns undefined if there are fewer bytes than that. */
  readBytes(): Uint8Array | undefined {
    const length = this.readNumber()
    if (length === undefined || length > this.#bytes.length - this.#at) return undefined
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

const GROUP = 0x80

/** Returns the number in the format that `readNumber` reads. */
export function numberBytes(number: number): readonly number[] {
  const bytes: number[] = []
  let rest = number
  while (rest >= GROUP) {
    bytes.push((rest % GROUP) + GROUP)
    rest = Math.floor(rest / GROUP)
  }
  return [...bytes, rest]
}

/** True if the bytes are a Yjs state vector: a count, and as many pairs of a client id and a number. */
export function isStateVector(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes)
  const count = reader.readNumber()
  if (count === undefined || count > bytes.length) return false
  for (let left = 2 * count; left > 0; left--) if (reader.readNumber() === undefined) return false
  return reader.isAtEnd
}
