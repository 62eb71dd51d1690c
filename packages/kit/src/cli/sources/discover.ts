import { readdir } from "node:fs/promises"
import { basename, dirname, join, relative, sep } from "node:path"

/** The convention folders, whose files kit loads, each with the default export that its files must have. */
export const CONVENTIONS = {
  collections: 'a collection: export default collection("posts")…',
  globals: 'a global: export default global("settings")…',
  routes: "a route: export default route().handler(({ input }) => …)",
  services: 'a service: export default service({ lifecycle: "singleton", create: () => … })',
  emails: "an email: export default email({ name, schema, handler: ({ input }) => ({ subject, html }) })",
  jobs: "a job: export default job({ name, schema, handler: async ({ payload }) => { … } })",
  channels: 'a channel: export default channel("room-[roomId]").events({ … }).access({ … })',
  seeds: "a seed: export default seed(async ({ collections }) => { … })",
} as const

type Convention = keyof typeof CONVENTIONS

export interface ConventionFile {
  readonly convention: Convention
  /** The file's path relative to the app's folder, with forward slashes. */
  readonly file: string
  /** The file's path relative to `src/`, without the extension. */
  readonly module: string
  /** The file's path relative to its convention folder, such as `collections`, without the extension. */
  readonly name: string
}

const CODE = /\.[cm]?[jt]sx?$/
const SKIPPED_FOLDERS = new Set(["node_modules", "generated", "dist"])

/** Finds the author's files in all convention folders below `src/`, such as `collections`, in a stable order. */
export async function discover(root: string): Promise<readonly ConventionFile[]> {
  const paths = await sourcePaths(root)
  return paths.flatMap((path) => describe(root, path)).sort((left, right) => (left.file < right.file ? -1 : 1))
}

/** Returns the paths of all the author's code files below `src/`, including files that kit does not load. */
export async function sourcePaths(root: string): Promise<readonly string[]> {
  const entries = await sourceEntries(root)
  return entries.filter(({ entry }) => entry.isFile() && CODE.test(entry.name)).map(({ path }) => path)
}

/**
 * Finds symbolic links at paths where kit would load a file or a folder; kit does not follow symbolic links, so it
 * loads nothing from them. The returned paths are relative to the app's folder.
 */
export async function linkedModules(root: string): Promise<readonly string[]> {
  const links = (await sourceEntries(root)).filter(({ entry }) => entry.isSymbolicLink())
  return links
    .filter(({ path }) => isConvention(basename(path)) || isBelowRoutes(root, path) || describe(root, path).length > 0)
    .map(({ path }) => relative(root, path).split(sep).join("/"))
}

/** True if kit loads a file at this path as a definition. */
export function isDefinition(root: string, path: string): boolean {
  const parts = relative(join(root, "src"), path).split(sep)
  return !parts.some(isSkipped) && describe(root, path).length > 0
}

async function sourceEntries(root: string) {
  const source = join(root, "src")
  const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => !relative(source, path).split(sep).some(isSkipped))
}

function isSkipped(part: string): boolean {
  return part.startsWith(".") || SKIPPED_FOLDERS.has(part)
}

function describe(root: string, path: string): ConventionFile[] {
  const parts = relative(join(root, "src"), path).split(sep)
  const file = basename(path)
  const isPrivate = parts.some((part) => part.startsWith("_"))
  const at = conventionAt(parts)
  const convention = parts[at]
  if (
    isPrivate ||
    !isConvention(convention) ||
    !/\.(ts|js|mts|mjs)$/.test(file) ||
    /\.(d|test|spec)\.[^.]+$/.test(file)
  )
    return []
  const module = parts.join("/").replace(/\.[^.]+$/, "")
  const name = module
    .split("/")
    .slice(at + 1)
    .join("/")
  return [{ convention, file: relative(root, path).split(sep).join("/"), module, name }]
}

// Returns the index of the convention folder in a path. For a route, this is the first folder named `routes`, because
// all folders below it are URL segments, whatever their names. For any other file, it is the file's own folder.
function conventionAt(parts: readonly string[]): number {
  const routes = parts.slice(0, -1).indexOf("routes")
  return routes < 0 ? parts.length - 2 : routes
}

function isBelowRoutes(root: string, path: string): boolean {
  return dirname(relative(join(root, "src"), path))
    .split(sep)
    .includes("routes")
}

function isConvention(folder: string | undefined): folder is Convention {
  return folder !== undefined && Object.hasOwn(CONVENTIONS, folder)
}
