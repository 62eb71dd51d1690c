import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parseSync } from "rolldown/utils"

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 * @typedef {{ type: "Block" | "Line", value: string, start: number, end: number }} CommentNode
 * @typedef {{ path: string, text: string, program: Node, comments: CommentNode[], lineAt: (offset: number) => number }} Source
 */

/**
 * Reads and parses one file. Syntax errors are left to the type check.
 *
 * @param {string} root
 * @param {string} path
 * @returns {Promise<Source>}
 */
export async function readSource(root, path) {
  const text = await readFile(join(root, path), "utf8")
  const { program, comments } = parseSync(path, text)
  return { path, text, program, comments, lineAt: lineCounter(text) }
}

/**
 * Visits the node and everything below it, parents first.
 *
 * @param {Node} node
 * @param {(node: Node, parent: Node | undefined) => void} visit
 * @param {Node} [parent]
 */
export function walk(node, visit, parent) {
  visit(node, parent)
  for (const child of childrenOf(node)) walk(child, visit, node)
}

/**
 * @param {Node} node
 * @returns {Node[]}
 */
export function childrenOf(node) {
  return Object.values(node).flat().filter(isNode)
}

/** @param {unknown} value @returns {value is Node} */
function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
}

/** @param {string} text */
function lineCounter(text) {
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)]
  return (/** @type {number} */ offset) => {
    const next = lineStarts.findIndex((start) => start > offset)
    return next === -1 ? lineStarts.length : next
  }
}
