import { readdir, readFile } from "node:fs/promises"
import { join, posix } from "node:path"
import { Surface } from "./surface.mjs"

const PACKAGE = "packages/kit"
const ADAPTERS = `${PACKAGE}/src/adapters`
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
  const surface = new Surface(root)
  const reports = new Map()
  for (const { subpath, types } of await entriesOf(root)) {
    const name = subpath === "." ? "index" : subpath.slice("./".length)
    reports.set(`${REPORTS}/${name}.api.md`, await surface.report(`kit${subpath.slice(1)}`, posix.join(PACKAGE, types)))
  }
  return reports
}

/** The entries in `exports` with their declarations; a pattern stands for each source that it matches. @param {string} root */
async function entriesOf(root) {
  const manifest = JSON.parse(await readFile(join(root, PACKAGE, "package.json"), "utf8"))
  const adapters = (await readdir(join(root, ADAPTERS))).map((file) => file.replace(/\.ts$/, "")).sort()
  return Object.entries(manifest.exports)
    .filter(([, target]) => typeof target === "object")
    .flatMap(([subpath, { types }]) => {
      const names = subpath.includes("*") ? adapters : [""]
      return names.map((name) => ({ subpath: subpath.replace("*", name), types: types.replace("*", name) }))
    })
}
