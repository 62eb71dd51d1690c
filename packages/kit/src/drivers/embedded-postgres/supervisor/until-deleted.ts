import { existsSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"

const CHECK_INTERVAL_MS = 500

/**
 * Resolves to the first of these files that has been deleted, or to undefined once the signal is aborted. It looks at
 * the files twice a second, because a watch on a directory ends silently if the directory above it is deleted.
 */
export async function untilDeleted(paths: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    const deleted = paths.find((path) => !existsSync(path))
    if (deleted !== undefined) return deleted
    await delay(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
  return undefined
}
