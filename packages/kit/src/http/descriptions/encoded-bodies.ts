import { createHash } from "node:crypto"
import type { MaybePromise } from "../../schema/context/when-ready.ts"
import type { Coding } from "../compression/accepted-coding.ts"
import { compress } from "../compression/compress.ts"

/** The body of a description, as responses send it. */
interface EncodedBody {
  readonly bytes: Buffer
  readonly etag: string
  /** Returns the compressed body, which is computed once. */
  compressed(coding: Coding): MaybePromise<Uint8Array>
}

// Encoding a shorter body takes less than a few milliseconds.
const MIN_KEPT_CHARACTERS = 100_000
const MAX_KEPT_CHARACTERS = 16_000_000

/**
 * Encodes the bodies of descriptions. The document of a large app has millions of characters, and many callers get the
 * same one. Long bodies that were used last are kept, so that they are hashed and compressed once, and responses at the
 * same time share their memory.
 */
export class EncodedBodies {
  readonly #kept = new Map<string, EncodedBody>()
  #keptCharacters = 0

  encode(body: string): EncodedBody {
    const encoded = this.#kept.get(body) ?? encodeBody(body)
    if (body.length >= MIN_KEPT_CHARACTERS) this.#keep(body, encoded)
    return encoded
  }

  #keep(body: string, encoded: EncodedBody): void {
    if (!this.#kept.delete(body)) this.#keptCharacters += body.length
    this.#kept.set(body, encoded)
    for (const oldest of this.#kept.keys()) {
      if (this.#keptCharacters <= MAX_KEPT_CHARACTERS) return
      this.#kept.delete(oldest)
      this.#keptCharacters -= oldest.length
    }
  }
}

function encodeBody(body: string): EncodedBody {
  const bytes = Buffer.from(body)
  const inCoding = new Map<Coding, MaybePromise<Uint8Array>>()
  return {
    bytes,
    // The tag is weak, because the compressed body has the same one.
    etag: `W/"${createHash("sha256").update(bytes).digest("base64url")}"`,
    compressed: (coding) => {
      const compressed = inCoding.get(coding) ?? compress(bytes, coding)
      inCoding.set(coding, compressed)
      return compressed
    },
  }
}
