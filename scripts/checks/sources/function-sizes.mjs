import { childrenOf, walk } from "./syntax-tree.mjs"

/**
 * @typedef {import("./syntax-tree.mjs").Node} Node
 * @typedef {{ name: string, line: number, lines: number, parameters: number, nesting: number }} FunctionSize
 */

const FUNCTION_TYPES = new Set([
  "ArrowFunctionExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "TSDeclareFunction",
  "TSEmptyBodyFunctionExpression",
])
const NESTING_TYPES = new Set([
  "DoWhileStatement",
  "ForInStatement",
  "ForOfStatement",
  "ForStatement",
  "IfStatement",
  "SwitchStatement",
  "TryStatement",
  "WhileStatement",
])

/**
 * Measures every function, method, constructor and arrow function of a source.
 *
 * @param {import("./syntax-tree.mjs").Source} source
 * @returns {FunctionSize[]}
 */
export function measureFunctions(source) {
  /** @type {FunctionSize[]} */
  const sizes = []
  walk(source.program, (node, parent) => {
    if (!FUNCTION_TYPES.has(node.type)) return
    const line = source.lineAt(node.start)
    sizes.push({
      name: node.id?.name ?? nameGivenBy(parent),
      line,
      lines: source.lineAt(node.end) - line + 1,
      parameters: node.params.filter((/** @type {Node} */ parameter) => parameter.name !== "this").length,
      nesting: node.body ? deepest(node.body, 0) : 0,
    })
  })
  return sizes
}

/** @param {Node | undefined} parent @returns {string} */
function nameGivenBy(parent) {
  const name = parent?.key?.name ?? parent?.id?.name
  return typeof name === "string" ? name : "(a function without a name)"
}

/**
 * Returns the nesting depth of the statements below the node. An inner function starts again at 0, and `else if` is not
 * a new level.
 *
 * @param {Node} node
 * @param {number} depth
 * @returns {number}
 */
function deepest(node, depth) {
  if (FUNCTION_TYPES.has(node.type)) return 0
  const isLevel = NESTING_TYPES.has(node.type)
  const own = isLevel ? depth + 1 : depth
  const isElseIf = (/** @type {Node} */ child) => node.alternate === child && child.type === "IfStatement"
  const below = childrenOf(node).map((child) => deepest(child, isElseIf(child) ? depth : own))
  return Math.max(own, ...below)
}
