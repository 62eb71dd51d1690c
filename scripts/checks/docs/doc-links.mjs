import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { readPage } from "./markdown.mjs"

const INLINE_LINK = /\]\(\s*<?([^()\s>]+)>?(?:\s+["'][^)]*)?\)/g
const LINK_DEFINITION = /^\s*\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/g
const INLINE_CODE = /`[^`]*`/g
const HAS_SCHEME = /^([a-z][a-z\d+.-]*:|\/\/|#)/i

/**
 * Returns the relative links of a page whose target does not exist.
 *
 * @param {string} root
 * @param {string} page
 * @param {string} text
 * @returns {string[]}
 */
export function linkProblems(root, page, text) {
  return relativeLinks(text)
    .filter(({ link }) => !existsSync(targetOf(root, page, link)))
    .map(({ line, link }) => `${page}:${line} links to ${link}, which does not exist`)
}

/** @param {string} text */
function relativeLinks(text) {
  return readPage(text).prose.flatMap(({ line, text: prose }) => {
    const visible = prose.replace(INLINE_CODE, "")
    const matches = [...visible.matchAll(INLINE_LINK), ...visible.matchAll(LINK_DEFINITION)]
    const links = matches.map((match) => match[1] ?? "").filter((link) => link !== "" && !HAS_SCHEME.test(link))
    return links.map((link) => ({ line, link }))
  })
}

/**
 * A leading slash means the root of the repository. The README of new apps links to the docs that are installed with
 * kit.
 *
 * @param {string} root
 * @param {string} page
 * @param {string} link
 */
function targetOf(root, page, link) {
  const path = decodeURIComponent(link.replace(/[?#].*$/, "")).replace(/^node_modules\/kit\/docs\//, "/docs/")
  return path.startsWith("/") ? join(root, path) : join(root, dirname(page), path)
}
