import { randomBytes } from "node:crypto"
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { OutputFile } from "esbuild"
import { CommandFailure } from "../terminal/arguments.ts"

export const COMPILED_FOLDER = ".kit/sources"
const MAX_UNUSED_MS = 24 * 60 * 60 * 1000

/** Stores compiled files under a hash of their contents, and deletes files that were not used for a day. */
export async function storeCompiled(root: string, outputs: readonly OutputFile[]): Promise<void> {
  if (outputs.length === 0) return
  try {
    const folders = new Set(outputs.map(({ path }) => dirname(path)))
    await Promise.all(Array.from(folders, (folder) => mkdir(folder, { recursive: true })))
    await Promise.all(outputs.map(store))
  } catch (cause) {
    const advice = "Make it writable, or run kit build where it is and start from the build."
    throw new CommandFailure(`${COMPILED_FOLDER}, for the compiled files, cannot be written. ${advice}`, { cause })
  }
  await sweep(join(root, COMPILED_FOLDER))
}

// Writes a file under a temporary name and then renames it, since another process may read or write the same file.
async function store({ path, contents }: OutputFile): Promise<void> {
  const now = new Date()
  const isThere = await utimes(path, now, now).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  await writeFile(draft, contents)
  await rename(draft, path)
}

async function sweep(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(files.map(removeOld))
}

// Deletes a file that was not used for a day. Another process may have renamed or deleted the file in the meantime.
async function removeOld(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found && Date.now() - found.mtimeMs > MAX_UNUSED_MS) await rm(file, { force: true })
}
