import { listFiles } from "./sources/source-files.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

/** @typedef {{ line: number, lastLine: number, text: string }} Comment */

// A sentence that begins with one of these words hides its subject.
const OPENING = /^(?:What|Who|Whoever|Whom|Whose|Of|Those|Whether)\b/
const PRIVATE_WORDS =
  /\b(?:judg(?:e[ds]?|ing|e?ments?)|tells?|told|telling|anew|overh(?:ears?|eard)|offices?|patien(?:t|ts|ce|tly)|whoever|whomever|at once)\b/i
const REMEDY = "say subject, verb, object in the field's words (docs/glossary.md)"

/**
 * Comments are for readers who see the code for the first time.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkComments(root) {
  const paths = (await listFiles(root)).filter((path) => /\.(?:[mc]?ts|tsx|mjs)$/.test(path) && !isGenerated(path))
  const problems = []
  for (const path of paths) {
    for (const comment of commentsOf(await readSource(root, path))) problems.push(...commentProblems(path, comment))
  }
  return problems
}

/**
 * Returns every comment of a source; consecutive line comments are one comment.
 *
 * @param {import("./sources/syntax-tree.mjs").Source} source
 * @returns {Comment[]}
 */
export function commentsOf({ text, comments, lineAt }) {
  /** @type {(Comment & { end: number })[]} */
  const found = []
  for (const { type, value, start, end } of comments) {
    const last = found.at(-1)
    const isContinued = type === "Line" && last !== undefined && /^[\t ]*\n?[\t ]*$/.test(text.slice(last.end, start))
    if (isContinued) Object.assign(last, { text: `${last.text} ${value.trim()}`, lastLine: lineAt(end), end })
    else found.push({ line: lineAt(start), lastLine: lineAt(end), text: plainText(value), end })
  }
  return found
}

/** @param {string} value */
function plainText(value) {
  return value
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s*/, "").trimEnd())
    .join(" ")
    .trim()
}

/** @param {string} path @param {Comment} comment */
function commentProblems(path, { line, text }) {
  const opening = OPENING.exec(text)?.[0]
  const word = PRIVATE_WORDS.exec(text)?.[0]
  const problems = []
  if (opening) problems.push(`${path}:${line} begins a comment with "${opening}"; ${REMEDY}`)
  if (word) problems.push(`${path}:${line} uses "${word}" in a comment; ${REMEDY}`)
  return problems
}

/** @param {string} path */
function isGenerated(path) {
  return path.includes("/generated/") || path.includes("/dist/")
}
