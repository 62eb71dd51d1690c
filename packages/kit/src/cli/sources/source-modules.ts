import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"
import { MIGRATIONS_FOLDER } from "../../app/definition/migration-files.ts"
import type { AppModules } from "./app-modules.ts"
import type { CompiledSources, CompiledWhole } from "./compile-sources.ts"
import { discover } from "./discover.ts"
import { type LoadedModule, loadedModule } from "./load-module.ts"
import { loadWithTimeout } from "./load-with-timeout.ts"

/** Called with the paths of the files from which an app was compiled. */
type InputsCallback = (paths: readonly string[]) => void

/** Compiles the author's sources and loads the modules. */
export function sourceModules(root: string, onInputs: InputsCallback = () => {}): AppModules {
  const config = existsSync(join(root, CONFIG_FILE)) ? CONFIG_FILE : undefined
  let inputs: readonly string[] = []
  const hear: InputsCallback = (paths) => {
    inputs = paths
    onInputs(paths)
  }
  const compiler = new SourceCompiler({ root, config, onInputs: hear })
  return {
    isBuilt: false,
    migrationsFolder: MIGRATIONS_FOLDER,
    loadConfig: async () => config && (await compiler.loadConfig(config)),
    files: () => discover(root),
    load: (file) => compiler.load(file),
    inputs: () => inputs,
  }
}

interface Sources {
  readonly root: string
  readonly config: string | undefined
  readonly onInputs: InputsCallback
}

/** Loads all of the author's files as one module. If a file is broken, loads each file alone to find out which one. */
class SourceCompiler {
  readonly #sources: Sources
  #compilingWhole: Promise<CompiledWhole | undefined> | undefined
  #loadingWhole: Promise<ReadonlyMap<string, LoadedModule>> | undefined
  #compilingEach: Promise<CompiledSources> | undefined

  constructor(sources: Sources) {
    this.#sources = sources
  }

  async loadConfig(file: string): Promise<LoadedModule> {
    this.#compilingWhole ??= compileTogether(this.#sources)
    const compiledPath = (await this.#compilingWhole)?.config
    return compiledPath === undefined
      ? this.#loadAlone(file)
      : loadWithTimeout(this.#sources.root, { file, compiledPath })
  }

  async load(file: string): Promise<LoadedModule> {
    this.#loadingWhole ??= this.#loadWhole()
    return (await this.#loadingWhole).get(file) ?? this.#loadAlone(file)
  }

  async #loadWhole(): Promise<ReadonlyMap<string, LoadedModule>> {
    this.#compilingWhole ??= compileTogether(this.#sources)
    const whole = await this.#compilingWhole
    return whole === undefined ? new Map() : loadTogether(this.#sources.root, whole.compiledPath)
  }

  async #loadAlone(file: string): Promise<LoadedModule> {
    this.#compilingEach ??= compileEach(this.#sources)
    return loadSource(this.#sources.root, file, await this.#compilingEach)
  }
}

async function compileTogether({ root, config, onInputs }: Sources): Promise<CompiledWhole | undefined> {
  // Enables source maps, so that errors name files and lines of the author's sources.
  process.setSourceMapsEnabled(true)
  const files = (await discover(root)).map(({ file }) => file)
  // Imports the compiler on demand, because a start from a build does not need it.
  const { compileWhole } = await import("./compile-sources.ts")
  const inputs = new Set<string>()
  const compiled = await compileWhole(root, { files, config }, (path) => inputs.add(path))
  onInputs([...inputs])
  return compiled
}

// Loads all of the author's files as one module; resolves to an empty map if a file throws or never finishes loading.
async function loadTogether(root: string, compiledPath: string): Promise<ReadonlyMap<string, LoadedModule>> {
  const loaded = await loadWithTimeout(root, { file: "src", compiledPath })
  if ("mistake" in loaded) return new Map()
  // The cast is safe: `compileWhole` has written the module that exports this object.
  const modules = loaded.exported as Readonly<Record<string, { readonly default?: unknown }>>
  return new Map(Object.entries(modules).map(([file, module]) => [file, loadedModule(module)]))
}

async function compileEach({ root, config, onInputs }: Sources): Promise<CompiledSources> {
  const files = (await discover(root)).map(({ file }) => file)
  const { compileSources } = await import("./compile-sources.ts")
  const inputs = new Set<string>()
  const compiled = await compileSources(root, config ? [...files, config] : files, (path) => inputs.add(path))
  onInputs([...inputs])
  return compiled
}

async function loadSource(root: string, file: string, sources: CompiledSources): Promise<LoadedModule> {
  const compiled = sources.get(file)
  if (compiled === undefined) return { mistake: { file, message: "was not there when the files were compiled." } }
  if ("place" in compiled) return await loadWithTimeout(root, { file, compiledPath: compiled.place })
  const [mistake = { file, message: "does not compile." }] = compiled.mistakes
  return { mistake: { ...mistake, message: `could not be loaded: ${mistake.message}` } }
}
