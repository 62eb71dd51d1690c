import { setTimeout as delay } from "node:timers/promises"
import { type LoadedModule, loadModule, type SourceModule } from "./load-module.ts"

const DEADLINE_MS = 30_000

/** Loads one of the author's files. If a top-level await in it does not settle in time, a mistake is returned. */
export async function loadWithTimeout(
  root: string,
  source: SourceModule,
  deadlineMs = DEADLINE_MS,
): Promise<LoadedModule> {
  const { file } = source
  const loaded = new AbortController()
  const late = delay(deadlineMs, undefined, { signal: loaded.signal }).then(
    () => ({ mistake: { file, message: `has not finished loading after ${deadlineMs / 1000} s. ${REMEDY}` } }),
    // The delay was aborted because the file has loaded in time, so nothing uses this result.
    () => ({ exported: undefined, hasDefault: false }),
  )
  const result = await Promise.race([loadModule(root, source), late])
  loaded.abort()
  return result
}

const REMEDY = "A top-level await in it never settles; await in a service or a handler instead."
