import { listPackageSources } from "./sources/source-files.mjs"
import { importsOf, resolveRelative } from "./sources/source-imports.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

const SMALL_LINES = 20
const MAX_SMALL_FILES = 20
const ENTRY = /^packages\/[^/]+\/src\/(?:adapters\/)?[^/]+\.tsx?$/

/**
 * A file of a few lines that only one other file imports usually belongs in that file. Some have a good reason, so a
 * number of them is allowed in each package.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkSmallFiles(root) {
  const sources = await Promise.all((await listPackageSources(root)).map((path) => readSource(root, path)))
  const importers = countImporters(sources)
  const small = sources.filter((source) => !ENTRY.test(source.path) && linesOf(source) < SMALL_LINES)
  const found = small.filter(({ path }) => importers.get(path) === 1)
  const tooMany = found.filter(({ path }) => {
    const others = found.filter((other) => packageOf(other.path) === packageOf(path))
    return others.length > MAX_SMALL_FILES
  })
  return tooMany.map((source) => `${source.path} has ${linesOf(source)} lines and one importer; move it there`)
}

/** @param {string} path */
function packageOf(path) {
  return path.split("/", 2).join("/")
}

/** @param {readonly import("./sources/syntax-tree.mjs").Source[]} sources */
function countImporters(sources) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const targets = sources.flatMap((source) => [
    ...new Set(importsOf(source).map(({ specifier }) => resolveRelative(source.path, specifier) ?? "")),
  ])
  for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1)
  return counts
}

/** @param {import("./sources/syntax-tree.mjs").Source} source */
function linesOf({ text, lineAt }) {
  return lineAt(text.trimEnd().length)
}
