import { existsSync, type FSWatcher, readdirSync, type WatchEventType, watch } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { ENV_FILES } from "../project/env-files.ts"
import { isDefinition } from "./discover.ts"

// The time to wait for further events before a change is reported, because editors write a file in several steps.
const SETTLE_MS = 80

/** Calls `onChange` after files have changed that matter to the app. */
export function watchSources(root: string, onChange: (file: string) => void): SourceWatch {
  return new SourceWatch(root, onChange)
}

/** Watches folders rather than files, because an editor may replace a file, while its folder stays. */
class SourceWatch {
  readonly #root: string
  readonly #onChange: (file: string) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** The paths of the files from which the app is compiled, except those of installed packages. */
  #followed: ReadonlySet<string> = new Set()
  /** The paths of the files that the app needs besides its sources, and that did not exist at its last start. */
  #awaited: readonly string[] = []
  /** True if every source below `src/` matters, because it may be the one that the app lacks. */
  #isForEverySource = true
  #timer: NodeJS.Timeout | undefined

  constructor(root: string, onChange: (file: string) => void) {
    this.#root = root
    this.#onChange = onChange
    this.#watchNewFolders()
  }

  /** Also watches the files that the app imports from outside of `src/`, such as other packages in its workspace. */
  follow(files: readonly string[]): void {
    this.#followed = new Set(files.filter((file) => !isInstalled(file)))
    this.#awaited = []
    this.#watchNewFolders()
  }

  /** Also watches for these files, until `follow` is called for the next start. */
  awaitFiles(files: readonly string[]): void {
    this.#awaited = files
    this.#watchNewFolders()
  }

  /** From now on, only definitions and the followed files matter. Called when the app runs. */
  ignoreUnused(): void {
    this.#isForEverySource = false
  }

  /** From now on, every source matters. Called when the app has ended: any file may fix it, such as a missing import. */
  heedEverySource(): void {
    this.#isForEverySource = true
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const folder of [...this.#watchers.keys()]) this.#unwatch(folder)
  }

  #onEvent(path: string, event: WatchEventType): void {
    // If a folder was renamed, that folder and all folders in it need new watchers.
    const replaced = event === "rename" ? [...this.#watchers.keys()].filter((folder) => isWithin(path, folder)) : []
    for (const folder of replaced) this.#unwatch(folder)
    const found = this.#watchNewFolders().flatMap(filesIn)
    const isLost = replaced.length > 0 && this.#hadSourcesIn(path)
    if (!isLost && ![path, ...found].some((file) => this.#matters(file))) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(relative(this.#root, path)), SETTLE_MS)
  }

  #hadSourcesIn(folder: string): boolean {
    return this.#isForEverySource || [...this.#followed].some((file) => isWithin(folder, file))
  }

  #matters(path: string): boolean {
    const file = relative(this.#root, path)
    if (file === CONFIG_FILE || ENV_FILES.some((name) => file === name)) return true
    if (this.#followed.has(path) || this.#awaited.includes(path)) return true
    if (!file.startsWith(`src${sep}`) || !SOURCE.test(file)) return false
    return this.#isForEverySource || isDefinition(this.#root, path)
  }

  // Repeats until there are no new folders, because no event reports a folder that is created after its parent was
  // listed and before the parent is watched.
  #watchNewFolders(): readonly string[] {
    const found: string[] = []
    for (let fresh = this.#watchListed(); fresh.length > 0; fresh = this.#watchListed()) found.push(...fresh)
    return found
  }

  #watchListed(): readonly string[] {
    const src = join(this.#root, "src")
    const outside = [...this.#followed, ...this.#awaited].filter((file) => !isWithin(src, file))
    const folders = new Set([this.#root, ...foldersBelow(src), ...outside.map((file) => dirname(file))])
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

function filesIn(folder: string): readonly string[] {
  return (readEntries(folder) ?? []).filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name))
}
