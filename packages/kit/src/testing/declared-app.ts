import { resolve } from "node:path"
import type { KitConfig } from "../app/config/config.ts"
import type { AppDefinition, AppMode } from "../app/definition/app-definition.ts"
import { readMigrations } from "../app/definition/migration-files.ts"
import { sourceModules } from "../cli/sources/source-modules.ts"
import type { Channel } from "../schema/builders/channel.ts"
import type { EmailTemplate } from "../schema/builders/email.ts"
import type { Job } from "../schema/builders/job.ts"
import type { Route } from "../schema/builders/route.ts"
import type { Service } from "../schema/builders/service.ts"
import type { SourcedDefinition } from "../schema/compile/resource-draft.ts"

/** A builder that `collection(…)`, `users()` or `global(…)` returns. */
interface WithDefinition {
  readonly definition: SourcedDefinition["definition"]
}

/** The options that select the app to test, which is loaded from a folder or declared by the test itself. */
export interface TestAppOptions {
  /** The app's folder, which contains `src/` and `kit.config.ts`; the working directory unless set. */
  readonly root?: string
  /**
   * The app's collections. If this option is set, or the option for globals, routes, jobs, channels, services or
   * emails, then the test declares the app, and no file is read.
   */
  readonly collections?: readonly WithDefinition[]
  readonly globals?: readonly WithDefinition[]
  /** The app's routes, by file path below `routes/` without the file extension. */
  readonly routes?: Readonly<Record<string, Route>>
  /** The app's jobs, by their names in `queue`. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** The app's channels, by their names in `channels`. */
  readonly channels?: Readonly<Record<string, Pick<Channel, "definition">>>
  readonly services?: Readonly<Record<string, Service>>
  readonly emails?: Readonly<Record<string, EmailTemplate>>
  /** The settings for this test. Each one replaces the setting of the same name in `kit.config.ts`. */
  readonly config?: KitConfig
  readonly mode?: AppMode
  /** The start time of the app's clock, or a function that returns the current time. The system time unless set. */
  readonly now?: Date | (() => Date)
}

const DECLARING_OPTIONS = ["collections", "globals", "routes", "jobs", "channels", "services", "emails"] as const

type DefinedApp = Omit<AppDefinition, "database" | "mode" | "now">

/** Returns the definition of the app to test, and the folder to which its test database belongs. */
export function loadAppDefinition(options: TestAppOptions): Promise<DefinedApp> {
  const root = resolve(options.root ?? "")
  return DECLARING_OPTIONS.some((part) => options[part] !== undefined)
    ? definitionFromOptions(options, root)
    : loadOnce(root)
}

const loaded = new Map<string, Promise<DefinedApp>>()

function loadOnce(root: string): Promise<DefinedApp> {
  const known = loaded.get(root) ?? load(root)
  loaded.set(root, known)
  return known
}

// Loads an app from its folder. The import is dynamic because it also loads the TypeScript loader, which a test that
// declares its own app does not need.
async function load(root: string): Promise<DefinedApp> {
  const { loadApp, loadConfig } = await import("../cli/sources/load-app.ts")
  // A test loads the app's source files, even if a build of the app exists.
  const settings = await loadConfig(root, sourceModules(root))
  const [app, migrations] = await Promise.all([loadApp(root, settings), readMigrations(root)])
  return { ...app, migrations }
}

function definitionFromOptions(options: TestAppOptions, root: string): Promise<DefinedApp> {
  const { collections = [], globals = [], routes = {}, jobs = {}, channels = {}, services = {}, emails = {} } = options
  return Promise.resolve({
    root,
    config: {},
    resources: [...collections, ...globals].map(({ definition }) => ({ file: fileOf(definition), definition })),
    routes: Object.entries(routes).map(([path, { definition }]) => ({ file: `routes/${path}.ts`, path, definition })),
    jobs: withKeys("jobs", jobs),
    channels: withKeys("channels", channels),
    services: withKeys("services", services),
    emails: withKeys("emails", emails),
  })
}

function fileOf({ kind, name }: SourcedDefinition["definition"]): string {
  return `${kind}s/${name}.ts`
}

function withKeys<Definition>(folder: string, declared: Readonly<Record<string, { readonly definition: Definition }>>) {
  return Object.entries(declared).map(([key, { definition }]) => ({ file: `${folder}/${key}.ts`, key, definition }))
}
