import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { WebFile } from "../../ports/web-folder.ts"

/** A file in memory. */
interface KeptFile {
  readonly version: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A hash of the bytes, the same on every machine that serves the file. */
  readonly hash: string
  /** Returns the bytes in the encoding `gzip`, computed once and outside the event loop. */
  compressed(): Promise<Uint8Array<ArrayBuffer>>
}

/** Longer files are streamed from disk. They are pictures and videos, which compressing would not make shorter. */
export const MAX_KEPT_FILE_BYTES = 4 * 1024 * 1024
const MAX_KEPT_BYTES = 64 * 1024 * 1024

const compress = promisify(gzip)

/** Keeps the files that were asked for last, so that each is read, hashed and compressed once until it changes. */
export class KeptFiles {
  readonly #kept = new Map<string, KeptFile>()
  #keptBytes = 0

  /** Returns the file in memory; reads it if it has changed. `path` identifies it. */
  async load(path: string, file: WebFile): Promise<KeptFile> {
    const known = this.#kept.get(path)
    const loaded = known?.version === file.version ? known : keep(file.version, await file.readAll())
    this.#remember(path, loaded)
    return loaded
  }

  #remember(path: string, file: KeptFile): void {
    this.#forget(path)
    this.#kept.set(path, file)
    this.#keptBytes += sizeOf(file)
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) return
      this.#forget(oldest)
    }
  }

  #forget(path: string): void {
    const file = this.#kept.get(path)
    if (file === undefined) return
    this.#kept.delete(path)
    this.#keptBytes -= sizeOf(file)
  }
}

// Counts the compressed bytes too, which are never many more than the bytes themselves.
function sizeOf({ bytes }: KeptFile): number {
  return 2 * bytes.length
}

function keep(version: string, bytes: Uint8Array<ArrayBuffer>): KeptFile {
  let compressing: Promise<Uint8Array<ArrayBuffer>> | undefined
  return {
    version,
    bytes,
    hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 27),
    compressed: () => {
      compressing ??= compress(bytes)
      return compressing
    },
  }
}
