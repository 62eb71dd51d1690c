import type { ByteRange } from "../../ports/file-store.ts"
import type { HeaderReader } from "../../ports/session-provider.ts"
import type { WebFile, WebFolder } from "../../ports/web-folder.ts"
import { AcceptedCodings } from "../compression/accepted-coding.ts"
import { isText } from "./file-headers.ts"
import { KeptFiles, MAX_KEPT_FILE_BYTES } from "./kept-files.ts"

/** The bytes of a file as one response sends them. */
interface Representation {
  readonly etag: string
  readonly coding: "br" | "gzip" | undefined
  readonly bytes: number
  /** Returns a part of the bytes; undefined if the file has been replaced or removed since it was found. */
  open(range: ByteRange): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined>
}

interface AskedFile {
  readonly segments: readonly string[]
  readonly file: WebFile
  readonly asked: HeaderReader
}

// A shorter file fits into one packet either way.
const MIN_COMPRESSED_BYTES = 1024

const STORED_CODINGS = [
  { coding: "br", extension: ".br" },
  { coding: "gzip", extension: ".gz" },
] as const

/** Chooses how a file is sent: as it is, as the compressed file that a build has put beside it, or compressed here. */
export class Representations {
  readonly #folder: WebFolder
  readonly #kept = new KeptFiles()

  constructor(folder: WebFolder) {
    this.#folder = folder
  }

  /** Returns undefined if the file has been replaced or removed since it was found. */
  async choose({ segments, file, asked }: AskedFile): Promise<Representation | undefined> {
    // A range is counted in the bytes of the file itself.
    const mayCompress = isText(segments.at(-1) ?? "") && file.bytes >= MIN_COMPRESSED_BYTES && !asked.get("range")
    const stored = mayCompress ? await this.#findStored({ segments, file, asked }) : undefined
    if (stored !== undefined) return stored
    if (file.bytes > MAX_KEPT_FILE_BYTES) return streamed(file, undefined)
    const kept = await this.#kept.load(segments.join("/"), file)
    if (kept === undefined) return undefined
    const { bytes, hash, compressed } = kept
    if (!mayCompress || !acceptedBy(asked).accepts("gzip")) return inMemory(bytes, { etag: `"${hash}"` })
    return inMemory(await compressed(), { etag: `"${hash}-gzip"`, coding: "gzip" })
  }

  async #findStored({ segments, file, asked }: AskedFile): Promise<Representation | undefined> {
    const accepted = acceptedBy(asked)
    for (const { coding, extension } of STORED_CODINGS) {
      if (!accepted.accepts(coding)) continue
      const path = `${segments.join("/")}${extension}`
      const stored = await this.#folder.find(path.split("/"))
      // One that is older than its file is left over from another build.
      if (stored === undefined || stored === "folder" || stored.modifiedAt < file.modifiedAt) continue
      if (stored.bytes > MAX_KEPT_FILE_BYTES) return streamed(stored, coding)
      const kept = await this.#kept.load(path, stored)
      if (kept !== undefined) return inMemory(kept.bytes, { etag: `"${kept.hash}-${coding}"`, coding })
    }
    return undefined
  }
}

function acceptedBy(asked: HeaderReader): AcceptedCodings {
  return new AcceptedCodings(asked.get("accept-encoding"))
}

// A long file is not hashed. Its tag is made of its length and its time, which machines with the same build may or may
// not have in common; at worst a browser loads it again.
function streamed(file: WebFile, coding: Representation["coding"]): Representation {
  const parts = [file.bytes.toString(36), file.modifiedAt.getTime().toString(36), ...(coding ? [coding] : [])]
  return { etag: `"${parts.join("-")}"`, coding, bytes: file.bytes, open: (range) => file.open(range) }
}

function inMemory(
  bytes: Uint8Array<ArrayBuffer>,
  { etag, coding }: { readonly etag: string; readonly coding?: "br" | "gzip" },
): Representation {
  const open = ({ start, end }: ByteRange) => Promise.resolve(bytes.subarray(start, end))
  return { etag, coding, bytes: bytes.length, open }
}
