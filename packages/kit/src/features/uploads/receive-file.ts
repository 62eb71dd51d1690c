import { createHash, type Hash } from "node:crypto"
import type { IncomingFile } from "../../ports/file-store.ts"
import { matchesTypes } from "../../schema/compile/file-types.ts"
import type { ResourceUpload } from "../../schema/compile/resource.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { contentType, SNIFFED_BYTES } from "./content-type.ts"
import { cleanFileName } from "./file-name.ts"
import { type ImageSize, imageSize, MEASURED_BYTES } from "./image-size.ts"
import type { FormPart } from "./multipart.ts"

/** An uploaded file that has been received completely, with its detected properties. */
export interface ReceivedFile {
  readonly incoming: IncomingFile
  readonly filename: string
  readonly mimeType: string
  readonly size: number
  readonly checksum: string
  readonly dimensions: ImageSize | undefined
}

type Limits = Pick<ResourceUpload, "maxBytes" | "types">

/**
 * Writes a form part to the file store as it arrives. If the file is rejected or incomplete, what was written is
 * removed.
 */
export async function receiveFile(part: FormPart, incoming: IncomingFile, limits: Limits): Promise<ReceivedFile> {
  const inspection = new Inspection(limits)
  try {
    for await (const bytes of part.body) {
      inspection.add(bytes)
      await incoming.write(bytes)
    }
    return { incoming, filename: cleanFileName(part.filename ?? ""), ...inspection.end() }
  } catch (error) {
    await incoming.discard()
    throw error
  }
}

/** Detects the type, size, checksum and image size of a file while its bytes stream through. */
class Inspection {
  readonly #limits: Limits
  readonly #hash: Hash = createHash("sha256")
  readonly #heads: Uint8Array[] = []
  #headBytes = 0
  #size = 0
  #type: string | undefined

  constructor(limits: Limits) {
    this.#limits = limits
  }

  add(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#limits.maxBytes) throw tooLarge(this.#limits.maxBytes)
    this.#hash.update(bytes)
    if (this.#headBytes < MEASURED_BYTES) this.#keepHead(bytes)
    if (this.#headBytes >= SNIFFED_BYTES) this.#checkType()
  }

  end() {
    if (this.#size === 0) throw new ApiError("BAD_REQUEST", { message: "The file is empty." })
    const mimeType = this.#checkType()
    const dimensions = imageSize(mimeType, Buffer.concat(this.#heads))
    return { mimeType, size: this.#size, checksum: this.#hash.digest("hex"), dimensions }
  }

  // Keeps a copy of a file's first bytes. The received bytes may be a view of a larger buffer, and keeping the view
  // would keep that buffer in memory.
  #keepHead(bytes: Uint8Array): void {
    const head = Uint8Array.prototype.slice.call(bytes, 0, MEASURED_BYTES - this.#headBytes)
    this.#heads.push(head)
    this.#headBytes += head.length
  }

  // Returns the file's type, or throws if it is not allowed. Called as early as possible, so that a client does not
  // upload the rest of a rejected file.
  #checkType(): string {
    this.#type ??= contentType(Buffer.concat(this.#heads))
    const { types } = this.#limits
    if (types === undefined || matchesTypes(this.#type, types)) return this.#type
    const message = `The file is ${this.#type} by its content. This collection accepts ${types.join(", ")}.`
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message })
  }
}

export function tooLarge(maxBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { message: `A file may have at most ${maxBytes} bytes here.` })
}
