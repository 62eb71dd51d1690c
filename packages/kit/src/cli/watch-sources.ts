import { existsSync, type FSWatcher, readdirSync, type WatchEventType, watch } from "node:fs"
import { basename, join, relative, sep } from "node:path"

// Editors write a file in several steps.
const SETTLE_MS = 80

/** Calls `onChange` after the author's files have changed; returns what ends the watch. */
export function watchSources(root: string, onChange: (file: string) => void): () => void {
  const watch = new SourceWatch(root, onChange)
  return () => watch.end()
}

/** Folders are watched rather than files: a file that an editor replaces keeps its folder. */
class SourceWatch {
  readonly #root: string
  readonly #onChange: (file: string) => void
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined

  constructor(root: string, onChange: (file: string) => void) {
    this.#root = root
    this.#onChange = onChange
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
    if (!isSource(file) && replaced.length === 0 && !hasNewSources) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(file), SETTLE_MS)
  }

  #watchNewFolders(): readonly string[] {
    const folders = [this.#root, ...foldersBelow(join(this.#root, "src"))]
    return folders.filter((folder) => !this.#watchers.has(folder) && this.#watch(folder))
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

const SOURCE = /\.([cm]?[jt]s|[jt]sx|json)$/

function holdsSources(folder: string): boolean {
  return readEntries(folder)?.some((entry) => entry.isFile() && SOURCE.test(entry.name)) ?? false
}

function isSource(file: string): boolean {
  return file === "kit.config.ts" || (file.startsWith(`src${sep}`) && SOURCE.test(file))
}
