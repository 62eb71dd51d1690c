import { type FSWatcher, readdirSync, watch } from "node:fs"
import { basename, join, relative, sep } from "node:path"

// Editors write a file in several steps.
const SETTLE_MS = 80

/**
 * Calls `onChange` after the author's files have changed; returns what ends the watch.
 * Folders are watched rather than files: a file that an editor replaces keeps its folder.
 */
export function watchSources(root: string, onChange: (file: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  const note = (folder: string, name: string | null) => {
    watchNewFolders()
    const file = relative(root, join(folder, name ?? ""))
    if (!isSource(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => onChange(file), SETTLE_MS)
  }
  const watchNewFolders = () => {
    for (const folder of [root, ...foldersBelow(join(root, "src"))]) {
      if (watchers.has(folder)) continue
      const watcher = watch(folder, (_event, name) => note(folder, name))
      watcher.on("error", () => forget(folder))
      watchers.set(folder, watcher)
    }
  }
  // A folder that was removed is watched again if it comes back.
  const forget = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  watchNewFolders()
  return () => {
    clearTimeout(timer)
    for (const folder of [...watchers.keys()]) forget(folder)
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

function isSource(file: string): boolean {
  return file === "kit.config.ts" || (file.startsWith(`src${sep}`) && /\.(ts|js|mts|mjs|json)$/.test(file))
}
