import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"

/** The body of a description, as responses send it. */
interface EncodedBody {
  readonly bytes: Buffer
  readonly etag: string
  /** Returns the body in the encoding `gzip`. */
  compressed(): Promise<Buffer>
}

// Encoding a shorter body takes less than a few milliseconds.
const MIN_KEPT_CHARACTERS = 100_000
const MAX_KEPT_CHARACTERS = 16_000_000

const compress = promisify(gzip)

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
  let compressing: Promise<Buffer> | undefined
  return {
    bytes,
    // The tag is weak, because the compressed body has the same one.
    etag: `W/"${createHash("sha256").update(bytes).digest("base64url")}"`,
    compressed: () => {
      compressing ??= compress(bytes)
      return compressing
    },
  }
}
