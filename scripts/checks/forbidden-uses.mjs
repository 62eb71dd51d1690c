import { walk } from "./sources/syntax-tree.mjs"

/**
 * @typedef {import("./sources/syntax-tree.mjs").Node} Node
 * @typedef {import("./sources/syntax-tree.mjs").Source} Source
 * @typedef {"clock" | "environment" | "http" | "code"} Use
 */

const WEB_NAMES = new Set(["Request", "Response"])

/**
 * The uses, besides imports, that a floor can be denied: how each is recognised, and the rule in words.
 *
 * @type {Record<Use, { matches: (node: Node, parent?: Node) => boolean, words: string }>}
 */
const FORBIDDEN_USES = {
  clock: { matches: readsClock, words: "reads the clock: take the time as an argument" },
  environment: {
    matches: readsEnvironment,
    words: "reads the environment: take the value as an argument; app and cli call readVariable",
  },
  http: { matches: namesWebRequest, words: "names Request or Response: only http and what is above it know them" },
  code: { matches: isCode, words: "is code on a floor of types: move it to the floor that runs it" },
}

/**
 * @param {Source} source
 * @param {Use[]} denied
 * @returns {{ line: number, words: string }[]}
 */
export function forbiddenUses(source, denied) {
  /** @type {{ line: number, words: string }[]} */
  const uses = []
  const declared = declaredNames(source.program)
  walk(source.program, (node, parent) => {
    if (node.type === "Identifier" && declared.has(node.name)) return
    const broken = denied.filter((use) => FORBIDDEN_USES[use].matches(node, parent))
    for (const use of broken) uses.push({ line: source.lineAt(node.start), words: FORBIDDEN_USES[use].words })
  })
  return uses
}

/** @param {Node} node */
function readsClock(node) {
  if (node.type === "NewExpression") return node.callee.name === "Date" && node.arguments.length === 0
  if (node.type === "CallExpression") return node.callee.name === "Date"
  return isMember(node, "Date", "now") || isMember(node, "performance", "now")
}

/** @param {Node} node @param {Node} [parent] */
function readsEnvironment(node, parent) {
  if (isMember(node, "process", "env")) return true
  return node.type === "Identifier" && node.name === "process" && parent?.type === "VariableDeclarator"
}

/** @param {Node} node @param {Node} [parent] */
function namesWebRequest(node, parent) {
  if (node.type !== "Identifier" || !WEB_NAMES.has(node.name)) return false
  const isMemberName = parent?.property === node || parent?.key === node || parent?.right === node
  return !isMemberName
}

/** @param {Node} node @param {Node} [parent] */
function isCode(node, parent) {
  if (parent?.type !== "Program") return false
  switch (node.type) {
    case "ImportDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return false
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return node.exportKind !== "type"
    default:
      return true
  }
}

/** @param {Node} node @param {string} object @param {string} property */
function isMember(node, object, property) {
  return node.type === "MemberExpression" && node.object.name === object && node.property.name === property
}

/**
 * Returns the names that the file imports or declares itself: they hide the global of that name.
 *
 * @param {Node} program
 * @returns {Set<string>}
 */
function declaredNames(program) {
  const statements = program.body.map((/** @type {Node} */ statement) => statement.declaration ?? statement)
  const names = statements.flatMap((/** @type {Node} */ statement) =>
    statement.type === "ImportDeclaration"
      ? statement.specifiers.map((/** @type {Node} */ specifier) => specifier.local.name)
      : [statement.id?.name],
  )
  return new Set(names)
}
