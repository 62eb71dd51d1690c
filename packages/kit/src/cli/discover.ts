import { readdir } from "node:fs/promises"
import { basename, join, relative, sep } from "node:path"

/** The folders whose files kit reads, and what each file of them exports. */
export const CONVENTIONS = {
  collections: 'a collection: export default collection("posts")…',
  globals: 'a global: export default global("settings")…',
  seeds: "a seed: export default seed(async ({ collections }) => { … })",
} as const

export type Convention = keyof typeof CONVENTIONS

export interface FoundFile {
  readonly convention: Convention
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** Relative to `src/`, without its ending. */
  readonly module: string
  readonly name: string
}

const SKIPPED_FOLDERS = new Set(["node_modules", "generated", "dist"])

/** Finds the author's files below `src/`, by type or by feature folder, in a stable order. */
export async function discover(root: string): Promise<readonly FoundFile[]> {
  const source = join(root, "src")
  const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.flatMap((path) => describe(root, source, path)).sort((left, right) => (left.file < right.file ? -1 : 1))
}

function describe(root: string, source: string, path: string): FoundFile[] {
  const parts = relative(source, path).split(sep)
  const folder = parts.at(-2)
  const file = basename(path)
  const isSkipped = parts.some((part) => part.startsWith(".") || part.startsWith("_") || SKIPPED_FOLDERS.has(part))
  if (isSkipped || !isConvention(folder) || !/\.(ts|js|mts|mjs)$/.test(file) || /\.(d|test|spec)\.[^.]+$/.test(file))
    return []
  const module = parts.join("/").replace(/\.[^.]+$/, "")
  return [
    { convention: folder, file: relative(root, path).split(sep).join("/"), module, name: file.replace(/\.[^.]+$/, "") },
  ]
}

function isConvention(folder: string | undefined): folder is Convention {
  return folder !== undefined && Object.hasOwn(CONVENTIONS, folder)
}
