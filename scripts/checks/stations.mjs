import { listFiles } from "./sources/source-files.mjs"
import { importsOf, resolveRelative } from "./sources/source-imports.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

const SRC = "packages/kit/src"

/**
 * The stations of a floor, from the bottom up. A station imports from those before it, never from those after it. "." is the
 * files directly in the floor; they come last where it is not listed.
 *
 * @type {Record<string, readonly string[]>}
 */
export const STATIONS = {
  sql: [
    "text",
    "filter",
    "parse",
    "read",
    "aggregate",
    "versions",
    "changes",
    "search",
    "internal",
    "documents",
    "references",
    "stages",
    "tables",
    "write",
  ],
  engine: [
    "migrate",
    "database",
    "context",
    "cursors",
    "live",
    "access",
    "read",
    "search",
    "write",
    "operations",
    "documents",
    "introspect",
    ".",
    "copy-database",
    "archive",
  ],
  drivers: [
    ".",
    "bus",
    "postgres",
    "redis",
    "embedded-postgres",
    "better-auth",
    "kysely",
    "node",
    "mail",
    "files",
    "log",
    "sessions",
    "embedders",
    "yjs",
  ],
  "features/auth": ["accounts", "sessions", "passwords", "set-up"],
  "features/realtime": [
    ".",
    "changes",
    "topics",
    "streams",
    "presence",
    "channels",
    "queries",
    "documents",
    "sessions",
  ],
}

/**
 * Checks the imports inside a floor against the order of its stations.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkStations(root) {
  const problems = []
  for (const [floor, stations] of Object.entries(STATIONS)) {
    const paths = (await listFiles(root, `${SRC}/${floor}`)).filter((path) => /\.tsx?$/.test(path))
    for (const path of paths) problems.push(...(await problemsOf(root, path, { floor, stations })))
  }
  return problems
}

/**
 * @param {string} root
 * @param {string} path
 * @param {{ floor: string, stations: readonly string[] }} place
 */
async function problemsOf(root, path, { floor, stations }) {
  const own = stationOf(path, floor)
  if (!isKnown(own, stations)) return [`${path}: "${own}" is not in the list of scripts/checks/stations.mjs`]
  const imports = importsOf(await readSource(root, path))
  return imports.flatMap(({ specifier, line }) => {
    const target = resolveRelative(path, specifier)
    if (!target?.startsWith(`${SRC}/${floor}/`)) return []
    const station = stationOf(target, floor)
    if (heightOf(station, stations) <= heightOf(own, stations)) return []
    return [`${path}:${line} imports ${floor}/${station}, which comes after ${own} in ${floor}`]
  })
}

/**
 * Returns the folder of the floor that contains the file; "." for a file directly in it.
 *
 * @param {string} path
 * @param {string} floor
 */
function stationOf(path, floor) {
  const [first = "", ...rest] = path.slice(`${SRC}/${floor}/`.length).split("/")
  return rest.length > 0 ? first : "."
}

/** @param {string} station @param {readonly string[]} stations */
function isKnown(station, stations) {
  return station === "." || stations.includes(station)
}

/** @param {string} station @param {readonly string[]} stations */
function heightOf(station, stations) {
  const at = stations.indexOf(station)
  return at === -1 ? stations.length : at
}
