import type { DueClock } from "../engine/database/due-clock.ts"
import type { DevStatus } from "../http/front-page/page-facts.ts"
import type { SessionProvider } from "../ports/session-provider.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import type { AppFacts } from "../schema/context/handler-context.ts"
import { basePathOf } from "./config/base-path.ts"
import type { KitConfig } from "./config/config.ts"
import { chooseMode } from "./config/defaults.ts"
import type { AppDefinition, AppMode, ChosenDatabase } from "./definition/app-definition.ts"

/** The parts of an app that tests can replace. */
export interface TestOverrides {
  /** Provides a database that already has the schema's tables. */
  prepareDatabase?(schema: AppSchema): Promise<ChosenDatabase>
  /** Returns the provider that reads the sessions of requests in place of the app's own provider. */
  wrapSessions?(own: SessionProvider): SessionProvider
  /** Wraps every call of a job's handler: runs `call` and returns its result. */
  callHandler?<Result>(call: () => Result): Result
  /** Hashes the passwords of users and compares them, in place of the app's own functions. */
  readonly passwords?: {
    hash(password: string): Promise<string>
    verify(stored: { readonly hash: string; readonly password: string }): Promise<boolean>
  }
}

/** The connection between an app and the `kit dev` that has started its process. */
export interface DevHooks {
  /**
   * Called before the tables are changed, and awaited. `rehearse` changes the tables and rolls that back; it throws if a
   * sync would fail.
   */
  beforeTableChanges?(rehearse: () => Promise<void>): Promise<void>
  /** The state of `kit dev`, which the page of development shows. */
  readonly devStatus?: DevStatus
}

/** The inputs of an app's parts: the author's definition, and the settings that several parts read from it. */
export interface AppInputs {
  readonly definition: AppDefinition
  readonly overrides: TestOverrides
  readonly devHooks: DevHooks
  readonly config: KitConfig
  readonly facts: AppFacts
  readonly mode: AppMode
  readonly now: () => Date
  readonly dueNow: DueClock
}

const DEFAULT_NAME = "kit"

export function appInputs(definition: AppDefinition, options: TestOverrides & DevHooks): AppInputs {
  const { config, mode, now } = definition
  const { name = DEFAULT_NAME, url } = config.app ?? {}
  return {
    definition,
    overrides: options,
    devHooks: options,
    config,
    facts: Object.freeze({ name, url, basePath: basePathOf(config) }),
    mode: chooseMode(mode),
    now: now ?? (() => new Date()),
    dueNow: now ?? (() => null),
  }
}
