import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { listFiles } from "./sources/source-files.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

const PACKAGE = "packages/kit"
const BUILD_FIRST = " (run npm run build)"
// The command line is reached through "bin", and the other one through a condition of the subpath "./react".
const NOT_A_SUBPATH = new Set(["./src/cli.ts", "./src/react-server.ts"])

/**
 * @typedef {import("./sources/syntax-tree.mjs").Node} Node
 * @typedef {{ "kit-source"?: string, types?: string, default?: string }} Target
 */

/**
 * Subpath exports, entry files and built files must agree, and only the entries may be barrels.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkExports(root) {
  const manifest = JSON.parse(await readFile(join(root, PACKAGE, "package.json"), "utf8"))
  const subpaths = Object.entries(manifest.exports).filter(([, target]) => typeof target === "object")
  const sources = (await listFiles(root, `${PACKAGE}/src`)).map((path) => `.${path.slice(PACKAGE.length)}`)

  const problems = subpaths.flatMap(([subpath, target]) => targetProblems(subpath, target))
  problems.push(...missingFiles(root, [...filesOf(subpaths), ...Object.values(manifest.bin ?? {})]))
  problems.push(...hiddenEntries(sources, subpaths))
  problems.push(...(await barrels(root, sources)))
  return problems
}

/** The built files of a subpath are named after its source. @param {string} subpath @param {Target} target */
function targetProblems(subpath, target) {
  const source = target["kit-source"]
  if (source === undefined) return [`exports["${subpath}"] has no "kit-source"`]
  const name = source.replace(/^\.\/src\//, "").replace(/\.tsx?$/, "")
  const types = `./dist/${name}.d.ts`
  const code = `./dist/bundle/${name}.js`
  const problems = []
  if (target.types !== types) problems.push(`exports["${subpath}"].types must be ${types}`)
  if (target.default !== code) problems.push(`exports["${subpath}"].default must be ${code}`)
  return problems
}

/** @param {[string, Target][]} subpaths */
function filesOf(subpaths) {
  return subpaths.flatMap(([, target]) => Object.values(target)).filter((path) => !path.includes("*"))
}

/** @param {string} root @param {string[]} paths */
function missingFiles(root, paths) {
  return paths
    .filter((path) => !existsSync(join(root, PACKAGE, path)))
    .map((path) => `package.json names ${path}, which does not exist${path.startsWith("./dist/") ? BUILD_FIRST : ""}`)
}

/** @param {string[]} sources @param {[string, Target][]} subpaths */
function hiddenEntries(sources, subpaths) {
  const patterns = subpaths.flatMap(([, target]) => target["kit-source"] ?? [])
  const isExported = (/** @type {string} */ path) => patterns.some((pattern) => matchesPattern(path, pattern))
  return sources
    .filter((path) => isEntry(path) && !NOT_A_SUBPATH.has(path) && !isExported(path))
    .map((path) => `${path} is a public entry without a subpath in "exports"`)
}

/** @param {string} root @param {string[]} sources */
async function barrels(root, sources) {
  const problems = []
  for (const path of sources) {
    if (isEntry(path) || !/\.tsx?$/.test(path)) continue
    const { program } = await readSource(root, join(PACKAGE, path))
    if (isBarrel(program)) problems.push(`${path} only re-exports: import from the files themselves`)
  }
  return problems
}

/** @param {Node} program */
function isBarrel(program) {
  const passesOn = (/** @type {Node} */ node) => node.type.startsWith("Export") && !node.declaration && !isDefault(node)
  const isImport = (/** @type {Node} */ node) => node.type === "ImportDeclaration"
  return (
    program.body.some(passesOn) && program.body.every((/** @type {Node} */ node) => passesOn(node) || isImport(node))
  )
}

/** @param {Node} node */
function isDefault(node) {
  return node.type === "ExportDefaultDeclaration"
}

/** @param {string} path */
function isEntry(path) {
  return /^\.\/src\/(adapters\/)?[^/]+\.tsx?$/.test(path)
}

/** @param {string} path @param {string} pattern */
function matchesPattern(path, pattern) {
  const [start, end] = pattern.split("*")
  return end === undefined ? path === pattern : path.startsWith(start ?? "") && path.endsWith(end)
}
