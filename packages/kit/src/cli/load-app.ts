import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { register } from "tsx/esm/api"
import { AppMistakesError } from "../app/app-mistakes.ts"
import { CONFIG_FILE, findConfigMistakes, type KitConfig } from "../app/config.ts"
import type { Seed } from "../app/run-seeds.ts"
import { compileSchema, type Mistake, type SourcedDefinition } from "../schema/compile.ts"
import type { ResourceDefinition } from "../schema/definition.ts"
import { CONVENTIONS, discover, type FoundFile } from "./discover.ts"

/** An app as its files declare it. */
export interface LoadedApp {
  readonly root: string
  readonly config: KitConfig
  readonly resources: readonly SourcedDefinition[]
  readonly seeds: readonly { readonly name: string; readonly run: Seed }[]
  /** The module of each resource, relative to `src/`: what generated code imports types from. */
  readonly modules: ReadonlyMap<string, string>
}

/** Loads every file of the app; all that is wrong with them is reported in one error. */
export async function loadApp(root: string): Promise<LoadedApp> {
  register()
  const mistakes: Mistake[] = []
  const config = await loadConfig(root, mistakes)
  const resources: SourcedDefinition[] = []
  const modules = new Map<string, string>()
  const seeds: { name: string; run: Seed }[] = []
  for (const found of await discover(root)) {
    const exported = await loadDefault(root, found.file, mistakes)
    if (exported === FAILED) continue
    const definition = definitionOf(exported)
    if (found.convention === "seeds" && typeof exported === "function") {
      seeds.push({ name: found.module, run: exported as Seed })
    } else if (definition && definition.kind === kindOf(found)) {
      resources.push({ file: found.file, definition })
      modules.set(`${definition.kind}:${definition.name}`, found.module)
    } else {
      mistakes.push({ file: found.file, message: `its default export is not ${CONVENTIONS[found.convention]}.` })
    }
  }
  if (resources.length === 0 && mistakes.length === 0) mistakes.push(nothingFound())
  if (mistakes.length > 0) throw new AppMistakesError([...mistakes, ...furtherMistakes(resources)])
  return { root, config, resources, seeds, modules }
}

// What did load is checked too, so that one run tells everything; only a relation may point to a file that did not.
function furtherMistakes(resources: readonly SourcedDefinition[]): Mistake[] {
  const compiled = compileSchema(resources)
  return "mistakes" in compiled ? compiled.mistakes.filter(({ missing }) => missing === undefined) : []
}

function kindOf(found: FoundFile): ResourceDefinition["kind"] {
  return found.convention === "globals" ? "global" : "collection"
}

async function loadConfig(root: string, mistakes: Mistake[]): Promise<KitConfig> {
  if (!existsSync(join(root, CONFIG_FILE))) return {}
  const exported = await loadDefault(root, CONFIG_FILE, mistakes)
  if (exported === FAILED) return {}
  const problems = findConfigMistakes(exported)
  mistakes.push(...problems.map((message) => ({ file: CONFIG_FILE, message })))
  // Checked above; with mistakes it is never used.
  return exported as KitConfig
}

const FAILED = Symbol("failed")

async function loadDefault(root: string, file: string, mistakes: Mistake[]): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(join(root, file)).href)
    return module.default
  } catch (error) {
    mistakes.push({ file: placeOf(error, root) ?? file, message: messageOf(error) })
    return FAILED
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // The compiler names the problem on a line of its own, after the file.
  const reason = /ERROR: (.*)/.exec(message)?.[1] ?? message.split("\n", 1)[0]
  return `could not be loaded: ${reason}`
}

// The first line of the stack that lies in the app names the file, line and column.
function placeOf(error: unknown, root: string): string | undefined {
  const text = error instanceof Error ? `${error.stack}\n${error.message}` : ""
  const start = text.indexOf(`${root}/`)
  const found = start < 0 ? null : /^[^\s?()]+?:\d+(:\d+)?/.exec(text.slice(start + root.length + 1))
  return found && !found[0].startsWith("node_modules/") ? found[0] : undefined
}

// The builders of another copy of the package would fail `instanceof`, so the definition itself is looked at.
function definitionOf(exported: unknown): ResourceDefinition | undefined {
  if (typeof exported !== "object" || exported === null || !("definition" in exported)) return undefined
  const { definition } = exported as { definition: ResourceDefinition }
  return definition?.kind === "collection" || definition?.kind === "global" ? definition : undefined
}

function nothingFound(): Mistake {
  return {
    file: "src/collections",
    message: 'there is no collection yet. Add src/collections/posts.ts with export default collection("posts")…',
  }
}
