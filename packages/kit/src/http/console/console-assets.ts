import { promisify } from "node:util"
import { brotliDecompress, gzip } from "node:zlib"
import { once } from "../../engine/context/once.ts"
import type { HeaderReader } from "../../ports/session-provider.ts"
import { AcceptedCodings } from "../compression/accepted-coding.ts"
import { contentTypeOf } from "../web/file-headers.ts"
import type { ConsoleFiles } from "./served-console.ts"

/** The files of the console. A file with the size `brotli` is stored compressed, the others as they are. */
export type StoredSizes = Readonly<Record<string, { readonly brotli?: number }>>

type Bytes = Uint8Array<ArrayBuffer>

interface KeptAsset {
  readonly isText: boolean
  /** Reads the file as it is stored. */
  stored(): Promise<Bytes>
  /** The file for clients that do not accept its stored form. */
  plain(): Promise<Bytes>
  gzip(): Promise<Bytes>
}

// The names of these files contain a hash of their content.
const FOREVER = "public, max-age=31536000, immutable"
const ASK_EACH_TIME = "no-cache"

const decompressBrotli = promisify(brotliDecompress)
const compressGzip = promisify(gzip)

/** The scripts, styles and fonts of the console. Each is read at its first request, and kept in memory. */
export class ConsoleAssets {
  readonly #kept: ReadonlyMap<string, KeptAsset>

  constructor(files: ConsoleFiles, sizes: StoredSizes) {
    this.#kept = new Map(
      Object.entries(sizes).map(([name, { brotli }]) => [
        name,
        keptAsset(files, { name, isText: brotli !== undefined }),
      ]),
    )
  }

  /** Returns the response with this file, in a coding that the request accepts; undefined if there is no such file. */
  async answer(name: string, asked: HeaderReader): Promise<Response | undefined> {
    const asset = this.#kept.get(name)
    if (asset === undefined) return undefined
    const headers = {
      "content-type": contentTypeOf(name),
      "cache-control": name.startsWith("assets/") ? FOREVER : ASK_EACH_TIME,
      ...(asset.isText && { vary: "Accept-Encoding" }),
    }
    if (!asset.isText) return fileResponse(await asset.stored(), headers)
    const accepted = new AcceptedCodings(asked.get("accept-encoding"))
    if (accepted.accepts("br")) return fileResponse(await asset.stored(), { ...headers, "content-encoding": "br" })
    if (!accepted.accepts("gzip")) return fileResponse(await asset.plain(), headers)
    return fileResponse(await asset.gzip(), { ...headers, "content-encoding": "gzip" })
  }
}

function keptAsset(files: ConsoleFiles, { name, isText }: { name: string; isText: boolean }): KeptAsset {
  const stored = once(() => files.read(isText ? `${name}.br` : name))
  const plain = once(async () => new Uint8Array(await decompressBrotli(await stored())))
  return { isText, stored, plain, gzip: once(async () => new Uint8Array(await compressGzip(await plain()))) }
}

function fileResponse(bytes: Bytes, headers: Record<string, string>): Response {
  return new Response(bytes, { headers: { ...headers, "content-length": String(bytes.length) } })
}
