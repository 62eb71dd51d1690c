/** An update of a document, which all subscribers share. Its text is made once, for the first of them. */
export class SharedUpdate {
  /** The number of the update in its document. */
  readonly seq: number
  readonly #bytes: Uint8Array
  #text: string | undefined

  constructor(seq: number, bytes: Uint8Array) {
    this.seq = seq
    this.#bytes = bytes
  }

  /** The update in base64. */
  get text(): string {
    this.#text ??= toBase64(this.#bytes).toString("latin1")
    return this.#text
  }
}

/** Returns the characters of the bytes in base64. */
export function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString("base64"), "latin1")
}
