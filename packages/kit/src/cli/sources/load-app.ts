import { CONFIG_FILE, type KitConfig } from "../../app/config/config.ts"
import { findConfigMistakes } from "../../app/config/settings/find-config-mistakes.ts"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import {
  compileDefinition,
  type DefinitionInput,
  type SourcedChannel,
  type SourcedEmail,
  type SourcedJob,
  type SourcedRoute,
  type SourcedService,
} from "../../app/definition/compile-definition.ts"
import type { Seed } from "../../app/handlers/run-seeds.ts"
import type { ChannelDefinition } from "../../schema/builders/channel.ts"
import type { ResourceDefinition } from "../../schema/builders/definition.ts"
import type { EmailDefinition } from "../../schema/builders/email.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import type { RouteDefinition } from "../../schema/builders/route.ts"
import type { ServiceDefinition } from "../../schema/builders/service.ts"
import type { Mistake, SourcedDefinition } from "../../schema/compile/compile.ts"
import { camelCase } from "../../wire/paths/route-names.ts"
import { moduleFiles } from "../codegen/module-files.ts"
import type { Modules } from "../codegen/module-type.ts"
import { refuseOtherKits } from "../project/other-kits.ts"
import type { AppModules } from "./app-modules.ts"
import { chooseModules } from "./choose-modules.ts"
import { CONVENTIONS, type ConventionFile, linkedModules } from "./discover.ts"

/** An app as its files declare it. */
export interface LoadedApp extends Required<Omit<DefinitionInput, "frameworkHooks">> {
  readonly root: string
  /** True if the app was loaded from its build. */
  readonly isBuilt: boolean
  readonly config: KitConfig
  readonly seeds: readonly { readonly name: string; readonly run: Seed }[]
  /** The author's modules from which generated code imports types. */
  readonly modules: Modules
  /** The source files from which the app was compiled, including files outside of the app's folder. */
  readonly inputs: readonly string[]
}

export interface LoadedConfig {
  readonly config: KitConfig
  readonly mistakes: readonly Mistake[]
  /** Loads the app's modules other than the configuration. */
  readonly appModules: AppModules
}

/** Loads only the configuration, which suffices to start the database while the rest of the app is loading. */
export async function loadConfig(root: string, modules?: AppModules): Promise<LoadedConfig> {
  const appModules = modules ?? (await chooseModules(root))
  const loaded = await appModules.loadConfig()
  if (loaded === undefined) return { config: {}, mistakes: [], appModules }
  if ("mistake" in loaded) return { config: {}, mistakes: [loaded.mistake], appModules }
  const mistakes = findConfigMistakes(loaded.exported).map((message) => ({ file: CONFIG_FILE, message }))
  // The cast is safe: `findConfigMistakes` has found no mistake in the configuration.
  return { config: mistakes.length > 0 ? {} : (loaded.exported as KitConfig), mistakes, appModules }
}

/** Loads all files of the app; throws all mistakes as one error. */
export async function loadApp(root: string, settings?: LoadedConfig): Promise<LoadedApp> {
  const { config, mistakes, appModules } = settings ?? (await loadConfig(root))
  const files = await appModules.files()
  refuseOtherKits(root, files)
  const parts = await Promise.all(files.map((found) => loadFile(appModules, found)))
  const definitions = {
    resources: parts.flatMap((part) => ("resource" in part ? [part.resource] : [])),
    routes: parts.flatMap((part) => ("route" in part ? [part.route] : [])),
    services: parts.flatMap((part) => ("service" in part ? [part.service] : [])),
    emails: parts.flatMap((part) => ("email" in part ? [part.email] : [])),
    jobs: parts.flatMap((part) => ("job" in part ? [part.job] : [])),
    channels: parts.flatMap((part) => ("channel" in part ? [part.channel] : [])),
  }
  const found = [...mistakes, ...distinct(parts.flatMap((part) => ("mistake" in part ? [part.mistake] : [])))]
  if (!appModules.isBuilt) found.push(...(await linkedModules(root)).map(linkMistake))
  if (parts.length === 0) found.push(noFilesMistake(root))
  if (found.length > 0) throw new AppMistakesError([...found, ...furtherMistakes({ ...definitions, config })])
  return {
    ...definitions,
    root,
    isBuilt: appModules.isBuilt,
    config,
    seeds: parts.flatMap((part) => ("seed" in part ? [part.seed] : [])),
    modules: new Map([
      ...parts.flatMap((part, index) => moduleEntries(part, files[index]?.module ?? "")),
      ...moduleFiles(root, files),
    ]),
    inputs: appModules.inputs(),
  }
}

type LoadedFile =
  | { readonly resource: SourcedDefinition }
  | { readonly route: SourcedRoute }
  | { readonly service: SourcedService }
  | { readonly email: SourcedEmail }
  | { readonly job: SourcedJob }
  | { readonly channel: SourcedChannel }
  | { readonly seed: { readonly name: string; readonly run: Seed } }
  | { readonly mistake: Mistake }

async function loadFile(from: AppModules, found: ConventionFile): Promise<LoadedFile> {
  const { convention, file, module, name } = found
  const loaded = await from.load(file)
  if ("mistake" in loaded) return loaded
  if (!loaded.hasDefault)
    return { mistake: { file, message: `has no default export. It should be ${CONVENTIONS[convention]}.` } }
  const { exported } = loaded
  // The cast to `Seed` is trusted: the check only shows that the export is a function, not which parameters it has.
  if (convention === "seeds" && typeof exported === "function") return { seed: { name: module, run: exported as Seed } }
  const definition = definitionOf(exported)
  if (definition?.kind !== KINDS[convention] || definition === undefined)
    return { mistake: wrongFolderMistake(found, definition) }
  switch (definition.kind) {
    case "route":
      return { route: { file, path: name, definition } }
    case "service":
      return { service: { file, key: camelCase(name), definition } }
    case "email":
      return { email: { file, key: camelCase(name), definition } }
    case "job":
      return { job: { file, key: camelCase(name), definition } }
    case "channel":
      return { channel: { file, key: camelCase(name), definition } }
    default:
      return { resource: { file, definition } }
  }
}

function moduleEntries(part: LoadedFile, module: string): [string, string][] {
  if ("resource" in part) return [[`${part.resource.definition.kind}:${part.resource.definition.name}`, module]]
  if ("route" in part) return [[`route:${part.route.file}`, module]]
  if ("email" in part) return [[`email:${part.email.key}`, module]]
  if ("job" in part) return [[`job:${part.job.key}`, module]]
  if ("channel" in part) return [[`channel:${part.channel.key}`, module]]
  return "service" in part ? [[`service:${part.service.key}`, module]] : []
}

const KINDS = {
  collections: "collection",
  globals: "global",
  routes: "route",
  services: "service",
  emails: "email",
  jobs: "job",
  channels: "channel",
  seeds: undefined,
} as const

type Definition =
  | ResourceDefinition
  | RouteDefinition
  | ServiceDefinition
  | EmailDefinition
  | JobDefinition
  | ChannelDefinition

// Recognises a builder by its members, because a builder from another copy of the kit package would fail `instanceof`.
function definitionOf(exported: unknown): Definition | undefined {
  if (typeof exported !== "object" || exported === null || !("definition" in exported)) return undefined
  const { definition } = exported as { definition: Definition | undefined }
  return Object.values(KINDS).includes(definition?.kind) ? definition : undefined
}

function wrongFolderMistake({ convention, file }: ConventionFile, definition: Definition | undefined): Mistake {
  const home = Object.entries(KINDS).find(([, kind]) => kind !== undefined && kind === definition?.kind)?.[0]
  const article = definition?.kind === "email" ? "an" : "a"
  const hint = home === undefined ? "" : ` It is ${article} ${definition?.kind}: move the file to ${home}/.`
  return { file, message: `its default export is not ${CONVENTIONS[convention]}.${hint}` }
}

// Also checks the files that did load, so that one run reports all mistakes. Relations to resources whose files did not
// load are not reported.
function furtherMistakes(definitions: DefinitionInput): Mistake[] {
  const compiled = compileDefinition(definitions)
  return "mistakes" in compiled ? compiled.mistakes.filter(({ missing }) => missing === undefined) : []
}

// Removes duplicates, because every file that imports a broken file reports the same mistake.
function distinct(mistakes: readonly Mistake[]): Mistake[] {
  return [...new Map(mistakes.map((mistake) => [`${mistake.file}: ${mistake.message}`, mistake])).values()]
}

function linkMistake(file: string): Mistake {
  const remedy = "Put the file itself there, or one that exports what it exports."
  return { file, message: `is a symbolic link, which kit does not follow. ${remedy}` }
}

function noFilesMistake(root: string): Mistake {
  const remedy = 'Add src/collections/posts.ts with export default collection("posts")…'
  const message = `there is no collection yet. ${remedy}, or run kit in the folder of the app; this is ${root}.`
  return { file: "src/collections", message }
}
