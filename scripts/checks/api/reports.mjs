import { readFile } from "node:fs/promises"
import { join, posix } from "node:path"
import { Surface } from "./surface.mjs"

const PACKAGE = "packages/kit"
const REPORTS = `${PACKAGE}/api`

/**
 * The committed report of each entry must match its exports, so that a change of the public API is visible in review.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkApiReports(root) {
  const problems = []
  for (const [path, text] of await apiReports(root)) {
    const committed = await readFile(join(root, path), "utf8").catch(() => undefined)
    if (committed !== text) problems.push(`${path} does not show the exports of today; run npm run api`)
  }
  return problems
}

/**
 * Returns the report of each entry by its path. A report lists the exports of the entry, and then every own type that
 * they mention.
 *
 * @param {string} root
 * @returns {Promise<Map<string, string>>}
 */
export async function apiReports(root) {
  const manifest = JSON.parse(await readFile(join(root, PACKAGE, "package.json"), "utf8"))
  const surface = new Surface(root)
  const reports = new Map()
  for (const [subpath, target] of Object.entries(manifest.exports)) {
    if (typeof target !== "object" || subpath.includes("*")) continue
    const name = subpath === "." ? "index" : subpath.slice(2)
    const entry = posix.join(PACKAGE, target.types)
    reports.set(`${REPORTS}/${name}.api.md`, await surface.report(`kit${subpath.slice(1)}`, entry))
  }
  return reports
}
