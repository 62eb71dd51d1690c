import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../app/config.ts"
import type { AppModules } from "./app-modules.ts"
import { discover } from "./discover.ts"
import { loadInTime } from "./load-in-time.ts"
import type { LoadedModule } from "./load-module.ts"
import { MIGRATIONS_FOLDER } from "./migration-files.ts"

/** The files as their author wrote them. */
export function sourceModules(root: string): AppModules {
  return {
    isBuilt: false,
    migrationsFolder: MIGRATIONS_FOLDER,
    loadConfig: async () => (existsSync(join(root, CONFIG_FILE)) ? await loadSource(root, CONFIG_FILE) : undefined),
    files: () => discover(root),
    load: (file) => loadSource(root, file),
  }
}

async function loadSource(root: string, file: string): Promise<LoadedModule> {
  compiler ??= registerCompiler()
  await compiler
  return loadInTime(root, file)
}

// One for the whole process, which has one module loader.
let compiler: Promise<void> | undefined

// Imported with the first source: a start from a build does not wait for it.
async function registerCompiler(): Promise<void> {
  const { register } = await import("tsx/esm/api")
  register()
}
