import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import type { FileStore, IncomingFile, StoredFile } from "../../ports/file-store.ts"
import { readRange } from "./read-range.ts"

const INCOMING = ".incoming"
// The format of the file keys that the framework creates. It excludes paths that could leave the folder, such as `..`.
const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*\.[a-z0-9]+$/

/** Stores files in a folder. The folder is created with its first file, and several processes may share it. */
export function openDiskFiles(folder: string): FileStore {
  const incoming = join(folder, INCOMING)
  return {
    begin: async () => {
      await mkdir(incoming, { recursive: true })
      const path = join(incoming, randomUUID())
      return new DiskFile(folder, { path, handle: await open(path, "wx", 0o600) })
    },
    open: async (key, range) => {
      const handle = await open(pathOf(folder, key), "r").catch(ignoreMissing)
      return handle && readRange(handle, range)
    },
    remove: async (key) => {
      await unlink(pathOf(folder, key)).catch(ignoreMissing)
    },
    list: () => listFiles(folder),
    removeAbandoned: (before) => removeAbandoned(incoming, before),
  }
}

/** A file that is being written, under a temporary file name that only this process knows. */
class DiskFile implements IncomingFile {
  readonly #folder: string
  readonly #path: string
  readonly #handle: FileHandle

  constructor(folder: string, { path, handle }: { path: string; handle: FileHandle }) {
    this.#folder = folder
    this.#path = path
    this.#handle = handle
  }

  async write(bytes: Uint8Array): Promise<void> {
    let written = 0
    while (written < bytes.length) {
      written += (await this.#handle.write(bytes, written, bytes.length - written)).bytesWritten
    }
  }

  async commit(key: string): Promise<void> {
    const path = pathOf(this.#folder, key)
    await this.#handle.sync()
    await this.#handle.close()
    await mkdir(dirname(path), { recursive: true })
    await rename(this.#path, path)
    await syncFolder(dirname(path))
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await unlink(this.#path).catch(() => undefined)
  }
}

function pathOf(folder: string, key: string): string {
  if (!KEY.test(key)) throw new Error("The key of a file is invalid: the framework did not create it.")
  return join(folder, key)
}

// Syncs the folder, so that a rename in it survives a crash. Errors are ignored: not every system can sync a folder.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

async function listFiles(folder: string): Promise<readonly StoredFile[]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing)) ?? []
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: StoredFile[] = []
  for (const path of paths.sort()) {
    const key = relative(folder, path).split(sep).join("/")
    // The file may have been removed since its folder was read.
    const found = KEY.test(key) ? await stat(path).catch(ignoreMissing) : undefined
    if (found !== undefined) files.push({ key, bytes: found.size })
  }
  return files
}

async function removeAbandoned(incoming: string, before: Date): Promise<number> {
  const names = (await readdir(incoming).catch(ignoreMissing)) ?? []
  let count = 0
  for (const name of names) {
    const path = join(incoming, name)
    const found = await stat(path).catch(ignoreMissing)
    if (!found?.isFile() || found.mtime >= before) continue
    await unlink(path).catch(ignoreMissing)
    count += 1
  }
  return count
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}
