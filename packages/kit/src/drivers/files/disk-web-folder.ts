import { type BigIntStats, constants } from "node:fs"
import { type FileHandle, open, realpath, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import type { WebFile, WebFolder } from "../../ports/web-folder.ts"
import { readRange } from "./read-range.ts"

// The errors that mean that there is no such file. The names in a path come from callers, so a name may be longer than
// the file system allows, and a file may stand where the path needs a folder.
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL"])

// `realpath` has resolved all links. One that has been put in place of the file since then is not followed.
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/** Serves the files of a folder on disk. */
export function openDiskWebFolder(folder: string): WebFolder {
  return {
    find: async (segments) => {
      // The folder itself may be a link that a deployment points at another folder, so it is resolved each time, and
      // before the path: both must lead into the same folder.
      const root = await realPath(folder)
      const path = root && (await realPath(join(root, ...segments)))
      if (root === undefined || path === undefined) return undefined
      if (path !== root && !path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
      return statFile(path)
    },
  }
}

function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(ignoreAbsent)
}

async function statFile(path: string): Promise<WebFile | "folder" | undefined> {
  const found = await stat(path, { bigint: true }).catch(ignoreAbsent)
  if (found?.isDirectory()) return "folder"
  if (!found?.isFile()) return undefined
  const version = versionOf(found)
  return {
    bytes: Number(found.size),
    modifiedAt: found.mtime,
    version,
    readAll: () => readUnchanged(path, version),
    open: async (range) => {
      const handle = await openUnchanged(path, version)
      return handle && readRange(handle, range)
    },
  }
}

function versionOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join("-")
}

async function isUnchanged(handle: FileHandle, version: string): Promise<boolean> {
  return versionOf(await handle.stat({ bigint: true })) === version
}

async function openUnchanged(path: string, version: string): Promise<FileHandle | undefined> {
  const handle = await open(path, READ_ONLY).catch(ignoreAbsent)
  if (handle === undefined || (await isUnchanged(handle, version))) return handle
  await handle.close()
  return undefined
}

// Compares the version once more at the end, because a build may write to the file while it is read.
async function readUnchanged(path: string, version: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const handle = await openUnchanged(path, version)
  if (handle === undefined) return undefined
  try {
    const bytes = await handle.readFile()
    return (await isUnchanged(handle, version)) ? bytes : undefined
  } finally {
    await handle.close()
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (!ABSENT.has(error.code)) throw error
}
