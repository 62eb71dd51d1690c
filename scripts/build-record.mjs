import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
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
  "scripts/web-package.mjs",
  "node_modules/.package-lock.json",
]

/**
 * True if the last build was made of the files as they are, and its output has not been touched since. Reads
 * thousands of files synchronously, which takes half as long as with promises (0.15 s instead of 0.3 s).
 *
 * @param {string} root
 */
export function isBuilt(root) {
  return readIfPresent(join(root, RECORD)) === describeBuild(root)
}

/** Stores which files the build was made of and which it has written. @param {string} root */
export function recordBuild(root) {
  writeFileSync(join(root, RECORD), describeBuild(root))
}

/** Makes the next build run in any case, also if this one is interrupted. @param {string} root */
export function forgetBuild(root) {
  rmSync(join(root, RECORD), { force: true })
}

/** @param {string} root */
function describeBuild(root) {
  const inputs = [...filesBelow(root, SOURCES), ...OTHER_INPUTS]
  const outputs = filesBelow(root, OUTPUT).filter((path) => path !== RECORD)
  const read = hashOf(inputs, (path) => readIfPresent(join(root, path)) ?? "missing")
  // Size and time are enough for the output: it is large, and only tools write it.
  const written = hashOf(outputs, (path) => stampOf(join(root, path)))
  return `${JSON.stringify({ inputs: read, outputs: written })}\n`
}

/**
 * Returns one hash of the paths and of what is known about each file.
 *
 * @param {string[]} paths
 * @param {(path: string) => string} describe
 */
function hashOf(paths, describe) {
  const hash = createHash("sha256")
  for (const path of paths) hash.update(`${path}\0${describe(path)}\0`)
  return hash.digest("hex")
}

/** @param {string} file */
function readIfPresent(file) {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

/** @param {string} file */
function stampOf(file) {
  const { size, mtimeMs } = statSync(file)
  return `${size} ${mtimeMs}`
}

/** @param {string} root @param {string} folder @returns {string[]} */
function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  const paths = entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
  return paths.sort()
}
