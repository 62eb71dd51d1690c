import type { StateListener } from "../../drivers/embedded-postgres/supervisor/server-state.ts"
import type { Migration } from "../../engine/migrate/apply-migrations.ts"
import type { SourcedChannel } from "../../features/channels/compile-channels.ts"
import type { SourcedEmail } from "../../features/email/compile-emails.ts"
import type { SourcedJob } from "../../features/jobs/compile-jobs.ts"
import type { SourcedRoute } from "../../features/routes/compile-routes.ts"
import type { SourcedService } from "../../features/services/compile-services.ts"
import type { SourcedDefinition } from "../../schema/compile/compile.ts"
import type { KitConfig } from "../config/config.ts"

/** The options from which the database of an app is found. */
export interface DatabaseOptions {
  readonly config: KitConfig
  /** The folder of the app: its embedded database and secret are in `.kit/` below it. */
  readonly root: string
  onProgress?(message: string): void
}

/** A running database, in use until it is released. */
export interface ChosenDatabase {
  readonly url: string
  /** True for the embedded database, which runs only while a process of kit uses it. */
  readonly isEmbedded: boolean
  /** One sentence about the database, for logs and the terminal. */
  readonly databaseNote: string
  /** Calls the listener when the embedded database goes down and when it is up again. */
  watch?(listener: StateListener): void
  release(): Promise<void>
}

/**
 * How much an app trusts its environment. Development trusts pages of every origin on this machine. Production
 * requires a configured secret. Local is in between: no page is trusted, and a missing secret is generated.
 */
export type AppMode = "development" | "local" | "production"

/** The declarations of an app, as read from its files. */
export interface AppDefinition extends DatabaseOptions {
  readonly resources: readonly SourcedDefinition[]
  readonly routes?: readonly SourcedRoute[]
  readonly services?: readonly SourcedService[]
  readonly emails?: readonly SourcedEmail[]
  readonly jobs?: readonly SourcedJob[]
  readonly channels?: readonly SourcedChannel[]
  /** A database chosen earlier, so that it starts while the app is still loading; released with the app. */
  readonly database?: Promise<ChosenDatabase>
  /** If there are any, only migrations change the tables, and they must lead to the schema. Otherwise the app syncs. */
  readonly migrations?: readonly Migration[]
  /** Unless set: `production` if `NODE_ENV` is "production", otherwise `local`. */
  readonly mode?: AppMode
  now?(): Date
}
