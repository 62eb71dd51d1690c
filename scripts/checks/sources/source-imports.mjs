import { posix } from "node:path"
import { walk } from "./syntax-tree.mjs"

/**
 * @typedef {import("./syntax-tree.mjs").Node} Node
 * @typedef {import("./syntax-tree.mjs").Source} Source
 * @typedef {{ specifier: string, line: number, typeOnly: boolean }} Import
 */

/**
 * Returns every module that the source names with a literal: static and dynamic imports, re-exports and `import("…")`
 * in a type. An `import { type A }` still loads its module under verbatimModuleSyntax, so only `import type` counts as
 * a type.
 *
 * @param {Source} source
 * @returns {Import[]}
 */
export function importsOf(source) {
  /** @type {Import[]} */
  const imports = []
  walk(source.program, (node) => {
    const specifier = specifierOf(node)
    if (specifier === undefined) return
    imports.push({ specifier, line: source.lineAt(node.start), typeOnly: isTypeOnly(node) })
  })
  return imports
}

/**
 * Returns the path that a relative specifier points to; undefined for a package or a node: module.
 *
 * @param {string} path
 * @param {string} specifier
 */
export function resolveRelative(path, specifier) {
  if (!/^\.\.?(\/|$)/.test(specifier)) return undefined
  return posix.join(posix.dirname(path), specifier)
}

/** @param {Node} node @returns {string | undefined} */
function specifierOf(node) {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return literalOf(node.source)
    case "TSExternalModuleReference":
      return literalOf(node.expression)
    default:
      return undefined
  }
}

/** @param {Node | null | undefined} node */
function literalOf(node) {
  return typeof node?.value === "string" ? node.value : undefined
}

/** @param {Node} node */
function isTypeOnly(node) {
  return node.type === "TSImportType" || node.importKind === "type" || node.exportKind === "type"
}
