/**
 * @typedef {{ info: string, line: number, lines: string[], hidden: string[] }} Fence
 *   `line` is the line of the opening fence; `hidden` are the lines of the "check:" comments right above it.
 * @typedef {{ fences: Fence[], prose: { line: number, text: string }[] }} Page
 */

const OPENING = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/
const HIDDEN = /^\s*<!-- check: (.*?) -->\s*$/

/**
 * Splits a page into fenced blocks and the lines between them.
 *
 * @param {string} text
 * @returns {Page}
 */
export function readPage(text) {
  const lines = text.split("\n")
  /** @type {Page} */
  const page = { fences: [], prose: [] }
  /** @type {string[]} */
  let hidden = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    const opening = OPENING.exec(line)
    if (opening) {
      const end = closingLine(lines, index, opening[2] ?? "")
      const content = lines.slice(index + 1, end).map((inner) => unindent(inner, opening[1] ?? ""))
      page.fences.push({ info: opening[3] ?? "", line: index + 1, lines: content, hidden })
      index = end
    } else {
      page.prose.push({ line: index + 1, text: line })
    }
    hidden = nextHidden(hidden, line)
  }
  return page
}

/** An unclosed fence runs to the end of the page. @param {string[]} lines @param {number} start @param {string} marker */
function closingLine(lines, start, marker) {
  const closes = (/** @type {string} */ line) => line.startsWith(marker) && line.replaceAll(marker[0] ?? "", "") === ""
  const offset = lines.slice(start + 1).findIndex((line) => closes(line.trim()))
  return offset === -1 ? lines.length : start + 1 + offset
}

/** @param {string} line @param {string} indent */
function unindent(line, indent) {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()
}

/** A blank line keeps the pending comments; any other line drops them. @param {string[]} hidden @param {string} line */
function nextHidden(hidden, line) {
  const comment = HIDDEN.exec(line)?.[1]
  if (comment !== undefined) return [...hidden, comment]
  return line.trim() === "" ? hidden : []
}
