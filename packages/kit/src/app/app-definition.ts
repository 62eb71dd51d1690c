import type { Migration } from "../engine/migrate/apply-migrations.ts"
import type { SourcedRoute } from "../features/routes/compile-routes.ts"
import type { SourcedService } from "../features/services/compile-services.ts"
import type { SourcedDefinition } from "../schema/compile.ts"
import type { KitConfig } from "./config.ts"

/** Where an app's database is found. */
export interface DatabasePlace {
  readonly config: KitConfig
  /** The folder of the app: its embedded database and secret live in `.kit/` below it. */
  readonly root: string
  onProgress?(message: string): void
}

/** A database that answers, until it is released. */
export interface ChosenDatabase {
  readonly url: string
  /** One sentence about it, for people. */
  readonly databaseNote: string
  release(): Promise<void>
}

/** What an app is made of, as read from its files. */
export interface AppDefinition extends DatabasePlace {
  readonly resources: readonly SourcedDefinition[]
  readonly routes?: readonly SourcedRoute[]
  readonly services?: readonly SourcedService[]
  /** Chosen already, to come up while the app was still loading; released with the app. */
  readonly database?: Promise<ChosenDatabase>
  /** If there are any, they alone change the tables, and the schema must be what they lead to; else the app syncs. */
  readonly migrations?: readonly Migration[]
  now?(): Date
}
