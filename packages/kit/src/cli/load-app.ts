import { existsSync } from "node:fs"
import { join } from "node:path"
import { register } from "tsx/esm/api"
import { AppMistakesError } from "../app/app-mistakes.ts"
import { compileApp } from "../app/compile-app.ts"
import { CONFIG_FILE, findConfigMistakes, type KitConfig } from "../app/config.ts"
import type { Seed } from "../app/run-seeds.ts"
import type { Mistake, SourcedDefinition } from "../schema/compile.ts"
import type { ResourceDefinition } from "../schema/definition.ts"
import { CONVENTIONS, discover, type FoundFile } from "./discover.ts"
import { loadModule } from "./load-module.ts"

/** An app as its files declare it. */
export interface LoadedApp {
  readonly root: string
  readonly config: KitConfig
  readonly resources: readonly SourcedDefinition[]
  readonly seeds: readonly { readonly name: string; readonly run: Seed }[]
  /** The module of each resource, relative to `src/`: what generated code imports types from. */
  readonly modules: ReadonlyMap<string, string>
}

export interface LoadedConfig {
  readonly config: KitConfig
  readonly mistakes: readonly Mistake[]
}

/** Loads the settings alone: enough to start a database while the rest is loading. */
export async function loadConfig(root: string): Promise<LoadedConfig> {
  register()
  if (!existsSync(join(root, CONFIG_FILE))) return { config: {}, mistakes: [] }
  const loaded = await loadModule(root, CONFIG_FILE)
  if ("mistake" in loaded) return { config: {}, mistakes: [loaded.mistake] }
  const mistakes = findConfigMistakes(loaded.exported).map((message) => ({ file: CONFIG_FILE, message }))
  // Without a mistake it is what its type says.
  return { config: mistakes.length > 0 ? {} : (loaded.exported as KitConfig), mistakes }
}

/** Loads every file of the app; all that is wrong with them is reported in one error. */
export async function loadApp(root: string, settings?: LoadedConfig): Promise<LoadedApp> {
  const { config, mistakes } = settings ?? (await loadConfig(root))
  const parts = await Promise.all((await discover(root)).map((found) => loadPart(root, found)))
  const resources = parts.flatMap((part) => ("resource" in part ? [part.resource] : []))
  const found = [...mistakes, ...parts.flatMap((part) => ("mistake" in part ? [part.mistake] : []))]
  if (parts.length === 0) found.push(nothingFound())
  if (found.length > 0) throw new AppMistakesError([...found, ...furtherMistakes(config, resources)])
  return {
    root,
    config,
    resources,
    seeds: parts.flatMap((part) => ("seed" in part ? [part.seed] : [])),
    modules: new Map(parts.flatMap((part) => ("resource" in part ? [[part.key, part.module] as const] : []))),
  }
}

type Part =
  | { readonly resource: SourcedDefinition; readonly key: string; readonly module: string }
  | { readonly seed: { readonly name: string; readonly run: Seed } }
  | { readonly mistake: Mistake }

async function loadPart(root: string, { convention, file, module }: FoundFile): Promise<Part> {
  const loaded = await loadModule(root, file)
  if ("mistake" in loaded) return loaded
  const { exported } = loaded
  // Checked to be a function; what it takes is its author's word.
  if (convention === "seeds" && typeof exported === "function") return { seed: { name: module, run: exported as Seed } }
  const definition = definitionOf(exported)
  if (definition?.kind === RESOURCE_KINDS[convention] && definition) {
    return { resource: { file, definition }, key: `${definition.kind}:${definition.name}`, module }
  }
  return { mistake: { file, message: `its default export is not ${CONVENTIONS[convention]}.` } }
}

const RESOURCE_KINDS = { collections: "collection", globals: "global", seeds: undefined } as const

// The builders of another copy of the package would fail `instanceof`, so the definition itself is looked at.
function definitionOf(exported: unknown): ResourceDefinition | undefined {
  if (typeof exported !== "object" || exported === null || !("definition" in exported)) return undefined
  const { definition } = exported as { definition: ResourceDefinition | undefined }
  return definition?.kind === "collection" || definition?.kind === "global" ? definition : undefined
}

// What did load is checked too, so that one run tells everything; only a relation may point to a file that did not.
function furtherMistakes(config: KitConfig, resources: readonly SourcedDefinition[]): Mistake[] {
  const compiled = compileApp(config, resources)
  return "mistakes" in compiled ? compiled.mistakes.filter(({ missing }) => missing === undefined) : []
}

function nothingFound(): Mistake {
  const message = 'there is no collection yet. Add src/collections/posts.ts with export default collection("posts")…'
  return { file: "src/collections", message }
}
