import { existsSync } from "node:fs"
import { mkdir, readdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { CommandFailure } from "../terminal/arguments.ts"

/**
 * Creates the folder of a new app and has `fill` write the app's files into it. If anything fails, all that was written
 * is removed again, the created parent folders included. The folder may exist if it is empty.
 */
export async function fillNewFolder(folder: string, fill: () => Promise<void>): Promise<void> {
  try {
    const kept = await existingEntries(folder)
    const created = await makeFolder(folder)
    await fill().catch(async (error) => {
      await removeWritten(folder, { created, kept })
      throw error
    })
  } catch (error) {
    throw explained(folder, error)
  }
}

// Returns the entries that an empty folder may have. Throws if the folder is not empty.
async function existingEntries(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR") throw new CommandFailure(`${folder} is a file. Choose another folder.`)
    throw error
  })
  const found = entries.find((entry) => entry !== ".git")
  if (found === undefined) return entries
  throw new CommandFailure(`${folder} is not empty: it has ${found}. Choose another folder; nothing was written.`)
}

// Creates the folder and its missing parents. Returns the first folder that was created; undefined if none was missing.
// The option `recursive` of `mkdir` is not used: Node retries forever if a folder cannot be created in its parent, as in
// `/proc`.
async function makeFolder(folder: string): Promise<string | undefined> {
  if (existsSync(folder)) return undefined
  const created = await makeFolder(dirname(folder))
  await mkdir(folder).catch(async (error) => {
    if (created !== undefined) await rm(created, { recursive: true })
    throw error
  })
  return created ?? folder
}

interface WrittenFolder {
  readonly created: string | undefined
  /** The entries that the folder had before. */
  readonly kept: readonly string[]
}

async function removeWritten(folder: string, { created, kept }: WrittenFolder): Promise<void> {
  const written = (await readdir(folder)).filter((entry) => !kept.includes(entry)).map((entry) => join(folder, entry))
  for (const path of created === undefined ? written : [created]) await rm(path, { recursive: true })
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of the path is a file",
  ENOENT: "no folder can be created there",
  ENAMETOOLONG: "the path is too long",
}

function explained(folder: string, error: unknown): unknown {
  // The cast is safe: it only makes `code` readable, which errors of the file system have and others lack.
  const { code = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const reason = REASONS[code]
  if (reason === undefined) return error
  const message = `${folder} cannot be created: ${reason}. Choose another folder; nothing was written.`
  return new CommandFailure(message, { cause: error })
}
