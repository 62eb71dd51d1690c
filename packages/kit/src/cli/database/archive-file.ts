import { once } from "node:events"
import { existsSync } from "node:fs"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { ArchiveError } from "../../engine/archive/archive-error.ts"
import { FIRST_LINE_BYTES, readFirstLine } from "../../engine/archive/archive-format.ts"
import { damaged } from "../../engine/archive/frame-reader.ts"
import type { WriteBytes } from "../../engine/archive/frame-writer.ts"
import { CommandFailure } from "../terminal/arguments.ts"

// An archive holds password hashes and everything else in the database, so only its owner may read it.
const OWNER_ONLY = 0o600
const FIRST_BYTES = 64

/**
 * Writes an archive: its first line, and compressed everything that `work` writes. The file gets its name when it is
 * complete.
 */
export async function writeArchiveFile<Result>(
  path: string,
  work: (write: WriteBytes) => Promise<Result>,
): Promise<Result> {
  if (existsSync(path)) throw new CommandFailure(`${path} exists already. Choose another name, or delete it.`)
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  try {
    const result = await writeCompressed(await open(partial, "wx", OWNER_ONLY), work)
    await rename(partial, path)
    return result
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function writeCompressed<Result>(handle: FileHandle, work: (write: WriteBytes) => Promise<Result>) {
  await handle.write(FIRST_LINE_BYTES)
  const gzip = createGzip()
  const written = pipeline(gzip, handle.createWriteStream({ flush: true }))
  // The error of the file, such as a full disk, is thrown by the next write, or at the end.
  written.catch(() => {})
  const write: WriteBytes = async (bytes) => {
    if (gzip.destroyed) await written
    if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), written])
  }
  try {
    const result = await work(write)
    gzip.end()
    await written
    return result
  } catch (error) {
    gzip.destroy()
    await written.catch(() => {})
    throw error
  }
}

/** Opens an archive and checks its first line. Yields the frames after it, which are read on demand. */
export async function openArchiveFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  const handle = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "ENOENT" ? new CommandFailure(`There is no file ${path}.`, { cause }) : cause
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0)
    return decompressed(handle, readFirstLine(buffer.subarray(0, bytesRead)))
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function* decompressed(handle: FileHandle, start: number): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const read = pipeline(handle.createReadStream({ start }), gunzip)
  // The loop below gets the same error.
  read.catch(() => {})
  try {
    yield* gunzip
  } catch (error) {
    throw explain(error)
  }
}

// Replaces the errors of the decompression, which do not say what to do.
function explain(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "Z_BUF_ERROR")
    return new ArchiveError("The archive is incomplete: it ends too early. Nothing was restored.", { cause: error })
  return String(code).startsWith("Z_") ? damaged() : error
}
