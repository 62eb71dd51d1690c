import { posix } from "node:path"
import { readPage } from "./markdown.mjs"

/**
 * @typedef {{ path: string, text: string, pageLine: (line: number) => number }} Block
 *   `pageLine` returns the line of the page for a line of the extracted file.
 */

const NAME = /^\/\/ (?:file: )?([\w@./[\]-]+\.tsx?)(?:\s|$)/

/**
 * Returns the TypeScript blocks of a page as files, in a folder named after the page, so that its blocks can import
 * each other. A block is named by its first line (`// file: src/collections/posts.ts`), otherwise by its position.
 *
 * @param {string} page
 * @param {string} text
 * @returns {{ blocks: Block[], problems: string[] }}
 */
export function extractBlocks(page, text) {
  const folder = page.replace(/\.md$/, "")
  /** @type {Map<string, Block>} */
  const blocks = new Map()
  const problems = []
  for (const fence of readPage(text).fences.filter(({ info }) => /^(ts|tsx|typescript)/i.test(info))) {
    const path = posix.join(folder, nameOf(fence))
    const problem = fenceProblem(fence) ?? pathProblem(path, folder, blocks)
    if (problem) problems.push(`${page}:${fence.line} ${problem}`)
    else blocks.set(path, toBlock(path, fence))
  }
  return { blocks: [...blocks.values()], problems }
}

/** @param {import("./markdown.mjs").Fence} fence */
function nameOf(fence) {
  return NAME.exec(fence.lines[0] ?? "")?.[1] ?? `line-${fence.line}.${fence.info}`
}

/** @param {import("./markdown.mjs").Fence} fence */
function fenceProblem(fence) {
  if (fence.info === "ts" || fence.info === "tsx") return undefined
  return `is fenced as "${fence.info}": every TypeScript block is checked, so write plain "ts" or "tsx"`
}

/** @param {string} path @param {string} folder @param {Map<string, Block>} blocks */
function pathProblem(path, folder, blocks) {
  if (!path.startsWith(`${folder}/`)) return "names a file outside its page"
  return blocks.has(path) ? `shows ${path.slice(folder.length + 1)} a second time` : undefined
}

/** @param {string} path @param {import("./markdown.mjs").Fence} fence @returns {Block} */
function toBlock(path, fence) {
  const offset = fence.hidden.length
  return {
    path,
    text: `${[...fence.hidden, ...fence.lines].join("\n")}\n`,
    // An error in a hidden line is shown at the fence it belongs to.
    pageLine: (line) => fence.line + Math.max(0, line - offset),
  }
}
