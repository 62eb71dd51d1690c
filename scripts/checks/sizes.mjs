import { basename, dirname } from "node:path"
import { measureFunctions } from "./sources/function-sizes.mjs"
import { listFiles, listPackageSources } from "./sources/source-files.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

const MAX_FILE_LINES = 400
const MAX_FILES_IN_FOLDER = 20
// An adapter that needs more lines than this shows a gap in the public API.
const MAX_ADAPTER_LINES = 60
const MAX_FUNCTION_LINES = 70
const MAX_PARAMETERS = 3
const MAX_NESTING = 2
const DRAWER = /^(utils?|helpers?|common|shared|misc|types?|lib|managers?|base|impl)$/

/**
 * Limits the size of folders, files, functions, parameter lists and nesting, and refuses names that say nothing about
 * the content.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkSizes(root) {
  const scripts = (await listFiles(root, "scripts")).filter((path) => /\.[mc]?[jt]sx?$/.test(path))
  const paths = [...(await listPackageSources(root)), ...scripts]
  const tests = [...(await listFiles(root, "test")), ...(await listFiles(root, "packages/kit/test"))]
  const problems = new Set([...paths.flatMap(drawerProblems), ...folderProblems([...paths, ...tests])])
  for (const path of paths) {
    for (const problem of sizeProblems(await readSource(root, path))) problems.add(problem)
  }
  return [...problems]
}

/** @param {readonly string[]} paths */
function folderProblems(paths) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const full = [...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER)
  return full.map(([folder, count]) => `${folder} has ${count} files; at most ${MAX_FILES_IN_FOLDER}, split by subject`)
}

/** @param {string} path */
function drawerProblems(path) {
  const own = path.replace(/^packages\/[^/]+\/src\//, "")
  const folders = own.split("/").slice(0, -1)
  const names = [...folders, basename(own).replace(/\..*$/, "")]
  return names.filter((name) => DRAWER.test(name)).map((name) => `${path}: "${name}" is a drawer; name what is inside`)
}

/** @param {import("./sources/syntax-tree.mjs").Source} source @returns {string[]} */
function sizeProblems(source) {
  const problems = []
  const lines = source.lineAt(source.text.trimEnd().length)
  const most = source.path.startsWith("packages/kit/src/adapters/") ? MAX_ADAPTER_LINES : MAX_FILE_LINES
  if (lines > most) problems.push(`${source.path} has ${lines} lines; at most ${most}, split by step`)
  for (const measured of measureFunctions(source)) {
    const where = `${source.path}:${measured.line} ${measured.name}`
    if (measured.lines > MAX_FUNCTION_LINES) {
      problems.push(`${where} has ${measured.lines} lines; at most ${MAX_FUNCTION_LINES}`)
    }
    if (measured.parameters > MAX_PARAMETERS) {
      problems.push(`${where} takes ${measured.parameters} parameters; at most ${MAX_PARAMETERS}, then an object`)
    }
    if (measured.nesting > MAX_NESTING) {
      problems.push(
        `${where} nests ${measured.nesting} levels deep; at most ${MAX_NESTING}, return early or name a step`,
      )
    }
  }
  return problems
}
