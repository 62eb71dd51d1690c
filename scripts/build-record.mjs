import { createHash } from "node:crypto"
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"

const OUTPUT = "packages/kit/dist"
const RECORD = `${OUTPUT}/.build`
const SOURCES = "packages/kit/src"
// The last one lists the installed packages, and with them the versions of the compiler and the bundler.
const OTHER_INPUTS = [
  "package-lock.json",
  "tsconfig.base.json",
  "packages/kit/package.json",
  "packages/kit/tsconfig.build.json",
  "scripts/build.mjs",
  "scripts/build-record.mjs",
  "scripts/bundle.mjs",
  "node_modules/.package-lock.json",
]

/** True if the last build was made of the files as they are, and nobody has touched its output since. @param {string} root */
export async function isBuilt(root) {
  const recorded = await readFile(join(root, RECORD), "utf8").catch(() => undefined)
  return recorded !== undefined && recorded === (await describeBuild(root))
}

/** Stores which files the build was made of and which it has written. @param {string} root */
export async function recordBuild(root) {
  await writeFile(join(root, RECORD), await describeBuild(root))
}

/** Has the next build run in any case, also if this one is interrupted. @param {string} root */
export async function forgetBuild(root) {
  await rm(join(root, RECORD), { force: true })
}

/** @param {string} root */
async function describeBuild(root) {
  const inputs = [...(await filesBelow(root, SOURCES)), ...OTHER_INPUTS]
  const outputs = (await filesBelow(root, OUTPUT)).filter((path) => path !== RECORD)
  const [read, written] = await Promise.all([hashOf(inputs, contentOf(root)), hashOf(outputs, stampOf(root))])
  return `${JSON.stringify({ inputs: read, outputs: written })}\n`
}

/**
 * Returns one hash of what is known of all files.
 *
 * @param {string[]} paths
 * @param {(path: string) => Promise<string | Buffer>} describe
 */
async function hashOf(paths, describe) {
  const hash = createHash("sha256")
  const facts = await Promise.all(paths.map(describe))
  for (const [index, path] of paths.entries())
    hash
      .update(`${path}\0`)
      .update(facts[index] ?? "")
      .update("\0")
  return hash.digest("hex")
}

/** @param {string} root @returns {(path: string) => Promise<string | Buffer>} */
function contentOf(root) {
  return (path) => readFile(join(root, path)).catch(() => "missing")
}

// Size and time are enough for the output: it is large, and only a tool writes it.
/** @param {string} root @returns {(path: string) => Promise<string>} */
function stampOf(root) {
  return async (path) => {
    const { size, mtimeMs } = await stat(join(root, path))
    return `${size} ${mtimeMs}`
  }
}

/** @param {string} root @param {string} folder @returns {Promise<string[]>} */
async function filesBelow(root, folder) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(join(root, "/").length)).sort()
}
