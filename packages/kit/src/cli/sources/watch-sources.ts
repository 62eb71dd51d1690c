import { existsSync, type FSWatcher, readdirSync, type WatchEventType, watch } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { ENV_FILES } from "../project/env-files.ts"

// The time to wait for further events before a change is reported, because editors write a file in several steps.
const SETTLE_MS = 80

/** Calls `onChange` after the author's files have changed. */
export function watchSources(root: string, onChange: (file: string) => void): SourceWatch {
  return new SourceWatch(root, onChange)
}

/** Watches folders rather than files, because an editor may replace a file, while its folder stays. */
class SourceWatch {
  readonly #root: string
  readonly #onChange: (file: string) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** The paths of the files outside of `src/` from which the app is compiled. */
  #followed: ReadonlySet<string> = new Set()
  #timer: NodeJS.Timeout | undefined

  constructor(root: string, onChange: (file: string) => void) {
    this.#root = root
    this.#onChange = onChange
    this.#watchNewFolders()
  }

  /** Also watches the files that the app imports from outside of `src/`, such as other packages in its workspace. */
  follow(files: readonly string[]): void {
    const src = join(this.#root, "src")
    this.#followed = new Set(files.filter((file) => !isWithin(src, file) && !isInstalled(file)))
    this.#watchNewFolders()
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const folder of [...this.#watchers.keys()]) this.#unwatch(folder)
  }

  #onEvent(path: string, event: WatchEventType): void {
    // If a folder was renamed, that folder and all folders in it need new watchers.
    const replaced = event === "rename" ? [...this.#watchers.keys()].filter((folder) => isWithin(path, folder)) : []
    for (const folder of replaced) this.#unwatch(folder)
    const hasNewSources = this.#watchNewFolders().some(holdsSources)
    const file = relative(this.#root, path)
    if (!isSource(file) && !this.#followed.has(path) && replaced.length === 0 && !hasNewSources) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(file), SETTLE_MS)
  }

  // Repeats until there are no new folders, because no event reports a folder that is created after its parent was
  // listed and before the parent is watched.
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
      const watcher = watch(folder, (event, name) => this.#onEvent(join(folder, name ?? ""), event))
      watcher.on("error", () => this.#unwatch(folder))
      this.#watchers.set(folder, watcher)
      return true
    } catch (error) {
      // Rethrows the error, unless the folder was deleted after it had been listed.
      if (existsSync(folder)) throw error
      return false
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}

// Folders that are not watched. The folder `generated` is among them, because kit itself writes the files in it.
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
  return (
    file === CONFIG_FILE ||
    ENV_FILES.some((name) => file === name) ||
    (file.startsWith(`src${sep}`) && SOURCE.test(file))
  )
}
