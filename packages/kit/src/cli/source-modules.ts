import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../app/config.ts"
import type { AppModules } from "./app-modules.ts"
import type { CompiledSources } from "./compile-sources.ts"
import { discover } from "./discover.ts"
import { loadInTime } from "./load-in-time.ts"
import type { LoadedModule } from "./load-module.ts"
import { MIGRATIONS_FOLDER } from "./migration-files.ts"

/** Hears which files an app was compiled from. */
export type InputsListener = (paths: readonly string[]) => void

/** The files as their author wrote them. */
export function sourceModules(root: string, onInputs: InputsListener = () => {}): AppModules {
  const hasConfig = existsSync(join(root, CONFIG_FILE))
  let compiling: Promise<CompiledSources> | undefined
  // All at once: what two files share is one module.
  const compiled = () => {
    compiling ??= compileAll(root, hasConfig, onInputs)
    return compiling
  }
  return {
    isBuilt: false,
    migrationsFolder: MIGRATIONS_FOLDER,
    loadConfig: async () => (hasConfig ? await loadSource(root, CONFIG_FILE, await compiled()) : undefined),
    files: () => discover(root),
    load: async (file) => loadSource(root, file, await compiled()),
  }
}

async function compileAll(root: string, hasConfig: boolean, onInputs: InputsListener): Promise<CompiledSources> {
  // Errors name the author's files and lines.
  process.setSourceMapsEnabled(true)
  const files = (await discover(root)).map(({ file }) => file)
  // Imported with the first source: a start from a build does not wait for the compiler.
  const { compileSources } = await import("./compile-sources.ts")
  const inputs = new Set<string>()
  const compiled = await compileSources(root, hasConfig ? [...files, CONFIG_FILE] : files, (path) => inputs.add(path))
  onInputs([...inputs])
  return compiled
}

async function loadSource(root: string, file: string, sources: CompiledSources): Promise<LoadedModule> {
  const compiled = sources.get(file)
  if (compiled === undefined) return { mistake: { file, message: "was not there when the files were compiled." } }
  if ("place" in compiled) return await loadInTime(root, { file, place: compiled.place })
  const [mistake = { file, message: "does not compile." }] = compiled.mistakes
  return { mistake: { ...mistake, message: `could not be loaded: ${mistake.message}` } }
}
