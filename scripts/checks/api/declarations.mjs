import { walk } from "../sources/syntax-tree.mjs"

/**
 * @typedef {import("../sources/syntax-tree.mjs").Node} Node
 * @typedef {import("../sources/syntax-tree.mjs").Source} Source
 * @typedef {{ name: string, path: string, text: string, mentions: Set<string> }} Declaration the names in it are `mentions`
 */

/**
 * Returns the declarations of one statement, exported or not.
 *
 * @param {Source} source
 * @param {Node} statement
 * @returns {Declaration[]}
 */
export function declarationsIn(source, statement) {
  const node = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement
  if (!node) return []
  const names = node.type === "VariableDeclaration" ? node["declarations"].map(nameOf) : [nameOf(node)]
  const text = withoutComments(source, node).replace(/^declare /, "")
  const mentions = mentionsIn(node)
  return names
    .filter((/** @type {string | undefined} */ name) => name !== undefined)
    .map((/** @type {string} */ name) => ({ name, path: source.path, text, mentions }))
}

/** @param {Node} node @returns {string | undefined} */
function nameOf(node) {
  return node["id"]?.name
}

/** @param {Node} node */
function mentionsIn(node) {
  const names = new Set()
  walk(node, (each) => {
    if (each.type === "Identifier") names.add(each["name"])
  })
  return names
}

/** @param {Source} source @param {Node} node */
function withoutComments({ text, comments }, { start, end }) {
  const own = comments.filter((each) => each.start >= start && each.end <= end)
  const kept = [...own, { start: end, end }].map((each, index) => text.slice(own[index - 1]?.end ?? start, each.start))
  return kept.join("").replace(/\n\s*\n/g, "\n")
}
