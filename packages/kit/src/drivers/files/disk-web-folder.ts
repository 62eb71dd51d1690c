import { constants } from "node:fs"
import { open, readFile, realpath, stat } from "node:fs/promises"
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
      // The folder itself may be a link that a deployment points at another folder, so it is resolved each time.
      const [root, path] = await Promise.all([realPath(folder), realPath(join(folder, ...segments))])
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
  return {
    bytes: Number(found.size),
    modifiedAt: found.mtime,
    version: [found.ino, found.size, found.mtimeNs, found.ctimeNs].join("-"),
    readAll: () => readFile(path, { flag: READ_ONLY }),
    open: async (range) => readRange(await open(path, READ_ONLY), range),
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (!ABSENT.has(error.code)) throw error
}
