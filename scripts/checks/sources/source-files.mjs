import { readdir } from "node:fs/promises"
import { join, posix } from "node:path"

// Made by tools and kept out of git, so no check reads them. In a worktree of git, ".git" is a file.
const SKIPPED = new Set([".git", ".kit", "dist", "node_modules", "pictures"])

/**
 * Returns the files below `folder`, as sorted paths from `root` with forward slashes; none if the folder does not
 * exist.
 *
 * @param {string} root
 * @param {string} [folder]
 * @returns {Promise<string[]>}
 */
export async function listFiles(root, folder = ".") {
  const found = []
  for (const entry of await entriesOf(join(root, folder))) {
    if (SKIPPED.has(entry.name)) continue
    const path = posix.join(folder, entry.name)
    if (entry.isFile()) found.push(path)
    if (entry.isDirectory()) found.push(...(await listFiles(root, path)))
  }
  return found.sort()
}

/** The TypeScript sources of every package. @param {string} root */
export async function listPackageSources(root) {
  const paths = await listFiles(root, "packages")
  return paths.filter((path) => /^packages\/[^/]+\/src\/.+\.tsx?$/.test(path))
}

/** @param {string} folder */
async function entriesOf(folder) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}
