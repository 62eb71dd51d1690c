import { listFiles, listPackageSources } from "./sources/source-files.mjs"
import { resolveRelative } from "./sources/source-imports.mjs"
import { readSource, walk } from "./sources/syntax-tree.mjs"

/**
 * @typedef {import("./sources/syntax-tree.mjs").Node} Node
 * @typedef {import("./sources/syntax-tree.mjs").Source} Source
 */

const ENTRY = /^packages\/[^/]+\/src\/(?:adapters\/)?[^/]+\.tsx?$/
const CODE = /\.(?:[mc]?ts|tsx|mjs)$/
const BUILT = /^packages\/kit\/dist\/(.+)\.js$/
const EVERY_NAME = "*"

/**
 * An export that no other file imports must become private or be deleted. Tests, scripts and the public entries count
 * as importers.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkUnusedExports(root) {
  const imported = await importedNames(root)
  const paths = (await listPackageSources(root)).filter((path) => !ENTRY.test(path))
  const problems = await Promise.all(
    paths.map(async (path) => {
      const names = imported.get(path) ?? new Set()
      const unused = exportsOf(await readSource(root, path)).filter(({ name }) => !names.has(name))
      return names.has(EVERY_NAME) ? [] : unused.map((each) => problemOf(path, each))
    }),
  )
  return problems.flat()
}

/** Returns the names that other files import, by the path of the file that exports them. @param {string} root */
async function importedNames(root) {
  /** @type {Map<string, Set<string>>} */
  const imported = new Map()
  const paths = (await listFiles(root)).filter((file) => CODE.test(file))
  const uses = await Promise.all(paths.map(async (path) => usesIn(await readSource(root, path))))
  for (const { target, names } of uses.flat()) {
    imported.set(target, new Set([...(imported.get(target) ?? []), ...names]))
  }
  return imported
}

/** @param {string} path @param {{ name: string, line: number }} unused */
function problemOf(path, { name, line }) {
  return `${path}:${line} exports "${name}", which no other file imports`
}

/** @param {Source} source @returns {{ target: string, names: string[] }[]} */
function usesIn(source) {
  /** @type {{ target: string, names: string[] }[]} */
  const uses = []
  walk(source.program, (node) => {
    const target = sourceOf(source.path, node)
    if (target !== undefined) uses.push({ target, names: namesOf(node) })
  })
  return uses
}

/**
 * Returns the source file that the node imports from; a built file stands for its source.
 *
 * @param {string} path
 * @param {Node} node
 */
function sourceOf(path, node) {
  const specifier = /^(?:Import|Export|TSImportType)/.test(node.type) ? node["source"]?.value : undefined
  if (typeof specifier !== "string") return undefined
  return resolveRelative(path, specifier)?.replace(BUILT, "packages/kit/src/$1.ts")
}

/** @param {Node} node @returns {string[]} */
function namesOf(node) {
  if (node.type === "TSImportType") return [node["qualifier"]?.name ?? EVERY_NAME]
  const isNamed = node.type === "ImportDeclaration" || node.type === "ExportNamedDeclaration"
  if (!isNamed) return [EVERY_NAME]
  return node["specifiers"].map(
    (/** @type {Node} */ each) =>
      each["imported"]?.name ?? (each["local"]?.name && isExport(each) ? each["local"].name : EVERY_NAME),
  )
}

/** @param {Node} node */
function isExport(node) {
  return node.type === "ExportSpecifier"
}

/** @param {Source} source @returns {{ name: string, line: number }[]} */
function exportsOf({ program, lineAt }) {
  return program["body"].flatMap((/** @type {Node} */ node) => {
    if (node.type !== "ExportNamedDeclaration" || node["source"]) return []
    const declared = node["declaration"] ? declaredNames(node["declaration"]) : node["specifiers"].map(exportedName)
    return declared.map((/** @type {string} */ name) => ({ name, line: lineAt(node.start) }))
  })
}

/** @param {Node} declaration @returns {string[]} */
function declaredNames(declaration) {
  if (declaration.type !== "VariableDeclaration") return [declaration["id"].name]
  return declaration["declarations"].flatMap((/** @type {Node} */ { id }) =>
    id.type === "ObjectPattern" ? id["properties"].map((/** @type {Node} */ each) => each["value"].name) : [id["name"]],
  )
}

/** @param {Node} specifier @returns {string} */
function exportedName(specifier) {
  return specifier["exported"].name
}
