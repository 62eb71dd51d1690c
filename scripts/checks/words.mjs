import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { listFiles } from "./sources/source-files.mjs"

const LOCKFILE = "package-lock.json"
// The bytes that are read to distinguish text from binary files.
const PROBE_BYTES = 8000

const UNWANTED = [
  // Only at the start of a path: "src/work/plan.ts" is a relative path.
  { pattern: /(?<![\w.~-])\/(?:work|home|Users|root)\/[\w.]/, words: "an absolute path of one machine" },
  { pattern: /\/\/registry\./, words: "the host of a package registry" },
]

/**
 * Nothing in the repository may depend on the machine on which it was written.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkWords(root) {
  const problems = []
  for (const path of await listFiles(root)) {
    const content = await readFile(join(root, path))
    if (content.subarray(0, PROBE_BYTES).includes(0)) continue
    const text = content.toString("utf8")
    problems.push(...unwantedWords(path, text))
    if (path === LOCKFILE) problems.push(...resolvedUrls(text))
  }
  return problems
}

/** @param {string} path @param {string} text */
function unwantedWords(path, text) {
  return text.split("\n").flatMap((line, index) => {
    const found = UNWANTED.filter(({ pattern }) => pattern.test(line))
    return found.map(({ words }) => `${path}:${index + 1} contains ${words}`)
  })
}

/** @param {string} text */
function resolvedUrls(text) {
  /** @type {{ packages?: Record<string, { resolved?: string }> }} */
  const { packages = {} } = JSON.parse(text)
  return Object.entries(packages)
    .filter(([, entry]) => /^https?:/.test(entry.resolved ?? ""))
    .map(([name]) => `${LOCKFILE}: ${name} has a "resolved" URL; install with omit-lockfile-registry-resolved=true`)
}
