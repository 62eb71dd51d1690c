import { existsSync, type FSWatcher, readdirSync, type WatchEventType, watch } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"

// Editors write a file in several steps.
const SETTLE_MS = 80

/** Calls `onChange` after the author's files have changed. */
export function watchSources(root: string, onChange: (file: string) => void): SourceWatch {
  return new SourceWatch(root, onChange)
}

/** Folders are watched rather than files: a file that an editor replaces keeps its folder. */
export class SourceWatch {
  readonly #root: string
  readonly #onChange: (file: string) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** Files outside of `src/` that the app is made of. */
  #followed: ReadonlySet<string> = new Set()
  #timer: NodeJS.Timeout | undefined

  constructor(root: string, onChange: (file: string) => void) {
    this.#root = root
    this.#onChange = onChange
    this.#watchNewFolders()
  }

  /** Watches what the app imports from elsewhere: other packages of its workspace. */
  follow(files: readonly string[]): void {
    const src = join(this.#root, "src")
    this.#followed = new Set(files.filter((file) => !isWithin(src, file) && !isInstalled(file)))
    this.#watchNewFolders()
  }

  end(): void {
    clearTimeout(this.#timer)
    for (const folder of [...this.#watchers.keys()]) this.#forget(folder)
  }

  #note(path: string, event: WatchEventType): void {
    // A folder that came, went or was replaced is another one, and so are those in it.
    const replaced = event === "rename" ? [...this.#watchers.keys()].filter((folder) => isWithin(path, folder)) : []
    for (const folder of replaced) this.#forget(folder)
    const hasNewSources = this.#watchNewFolders().some(holdsSources)
    const file = relative(this.#root, path)
    if (!isSource(file) && !this.#followed.has(path) && replaced.length === 0 && !hasNewSources) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(file), SETTLE_MS)
  }

  // Until nothing is new: what is made in a folder between its being listed and being watched is told by nobody.
  #watchNewFolders(): readonly string[] {
    const found: string[] = []
    for (let fresh = this.#watchListed(); fresh.length > 0; fresh = this.#watchListed()) found.push(...fresh)
    return found
  }

  #watchListed(): readonly string[] {
    const own = [this.#root, ...foldersBelow(join(this.#root, "src"))]
    const folders = new Set([...own, ...[...this.#followed].map((file) => dirname(file))])
    return [...folders].filter((folder) => !this.#watchers.has(folder) && this.#watch(folder))
  }

  #watch(folder: string): boolean {
    try {
      const watcher = watch(folder, (event, name) => this.#note(join(folder, name ?? ""), event))
      watcher.on("error", () => this.#forget(folder))
      this.#watchers.set(folder, watcher)
      return true
    } catch (error) {
      // It went between being listed and being watched.
      if (existsSync(folder)) throw error
      return false
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}

// Generated files change by our own doing.
const SKIPPED = new Set(["node_modules", "generated"])

function foldersBelow(folder: string): string[] {
  if (SKIPPED.has(basename(folder))) return []
  const entries = readEntries(folder)
  if (entries === undefined) return []
  return [
    folder,
    ...entries.filter((entry) => entry.isDirectory()).flatMap((entry) => foldersBelow(join(folder, entry.name))),
  ]
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}

function isWithin(path: string, folder: string): boolean {
  return folder === path || folder.startsWith(path + sep)
}

function isInstalled(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`)
}

const SOURCE = /\.([cm]?[jt]s|[jt]sx|json)$/

function holdsSources(folder: string): boolean {
  return readEntries(folder)?.some((entry) => entry.isFile() && SOURCE.test(entry.name)) ?? false
}

function isSource(file: string): boolean {
  return file === "kit.config.ts" || (file.startsWith(`src${sep}`) && SOURCE.test(file))
}
