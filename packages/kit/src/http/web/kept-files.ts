import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { WebFile } from "../../ports/web-folder.ts"

/** A file in memory. */
interface KeptFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A hash of the bytes, the same on every machine that serves the file. */
  readonly hash: string
  /** Returns the bytes in the encoding `gzip`, computed once and outside the event loop. */
  compressed(): Promise<Uint8Array<ArrayBuffer>>
}

/** A file that has been read, or is being read. */
interface KeptEntry {
  readonly version: string
  /** The number of bytes that the file takes. Its compressed bytes are never many more than the bytes themselves. */
  readonly size: number
  readonly file: Promise<KeptFile | undefined>
}

/** Longer files are streamed from disk. They are pictures and videos, which compressing would not make shorter. */
export const MAX_KEPT_FILE_BYTES = 4 * 1024 * 1024
const MAX_KEPT_BYTES = 64 * 1024 * 1024

const compress = promisify(gzip)

/**
 * Keeps the files that were asked for last, so that each is read, hashed and compressed once until it changes, also if
 * many callers ask for it at the same time.
 */
export class KeptFiles {
  readonly #kept = new Map<string, KeptEntry>()
  #keptBytes = 0

  /**
   * Returns the file in memory; reads it if it has changed. `path` identifies it. Undefined if the file has been replaced
   * or removed since it was found.
   */
  load(path: string, file: WebFile): Promise<KeptFile | undefined> {
    const known = this.#kept.get(path)
    const entry = known?.version === file.version ? known : this.#begin(path, file)
    this.#remember(path, entry)
    return entry.file
  }

  #begin(path: string, file: WebFile): KeptEntry {
    const forget = () => this.#kept.get(path) === entry && this.#forget(path)
    const read = async () => {
      const bytes = await file.readAll()
      if (bytes === undefined) forget()
      return bytes && keep(bytes)
    }
    const entry: KeptEntry = { version: file.version, size: 2 * file.bytes, file: read() }
    entry.file.catch(forget)
    return entry
  }

  #remember(path: string, entry: KeptEntry): void {
    this.#forget(path)
    this.#kept.set(path, entry)
    this.#keptBytes += entry.size
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) return
      this.#forget(oldest)
    }
  }

  #forget(path: string): void {
    const entry = this.#kept.get(path)
    if (entry === undefined) return
    this.#kept.delete(path)
    this.#keptBytes -= entry.size
  }
}

function keep(bytes: Uint8Array<ArrayBuffer>): KeptFile {
  let compressing: Promise<Uint8Array<ArrayBuffer>> | undefined
  return {
    bytes,
    hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 27),
    compressed: () => {
      compressing ??= compress(bytes)
      return compressing
    },
  }
}
