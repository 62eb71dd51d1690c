import { randomUUID } from "node:crypto"
import { FILE_TYPES } from "../../schema/compile/file-types.ts"
import { invalid } from "../../wire/errors/api-error.ts"

const MAX_PATH_CHARACTERS = 200
const PATH = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+){0,7}$/

/**
 * Checks the folder that an upload asks for, and returns it without a slash at its start or end. An empty string and a
 * single slash mean no folder. Rejects names that could lead to another folder.
 */
export function readPath(given: string): string {
  const path = given.toLowerCase()
  if (path === "" || path === "/") return ""
  const folder = path.replace(/^\/|\/$/g, "")
  if (folder.length <= MAX_PATH_CHARACTERS && PATH.test(folder)) return folder
  throw invalid("path", 'Use up to 8 names of letters, digits, - and _ with slashes between them: "team/photos".')
}

/**
 * Returns the storage key for a new file: the folder, the month, and a name that cannot be guessed. Only the folder
 * comes from the caller.
 */
export function makeKey({ path, mimeType, now }: { path: string; mimeType: string; now: Date }): string {
  const [year, month] = now.toISOString().split("-")
  const name = `${year}/${month}/${randomUUID()}.${FILE_TYPES[mimeType] ?? "bin"}`
  return path === "" ? name : `${path}/${name}`
}
