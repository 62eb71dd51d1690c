import type { StateListener } from "../../drivers/embedded-postgres/supervisor/server-state.ts"
import type { Migration } from "../../engine/migrate/files/migration.ts"
import type { SourcedEmail } from "../../features/email/compile-emails.ts"
import type { SourcedJob } from "../../features/jobs/compile-jobs.ts"
import type { SourcedChannel } from "../../features/realtime/channels/compile-channels.ts"
import type { SourcedRoute } from "../../features/routes/compile-routes.ts"
import type { SourcedService } from "../../features/services/compile-services.ts"
import type { SourcedDefinition } from "../../schema/compile/compile.ts"
import type { KitConfig } from "../config/config.ts"

/** The options that determine which database an app uses. */
export interface DatabaseOptions {
  readonly config: KitConfig
  /** The app's folder. The embedded database and the generated secret are in `.kit/` below it. */
  readonly root: string
  onProgress?(message: string): void
}

/** A running database, which stays in use until `release` is called. */
export interface ChosenDatabase {
  readonly url: string
  /** True for the embedded database, which runs only while a kit process uses it. */
  readonly isEmbedded: boolean
  /** One sentence that describes the database, for logs and the terminal. */
  readonly databaseNote: string
  /** Calls the listener when the embedded database goes down and when it is up again. */
  watch?(listener: StateListener): void
  release(): Promise<void>
}

/**
 * How much an app trusts its environment. "development" trusts pages of every origin on this machine. "production"
 * requires a configured secret. "local" does neither: it trusts only the configured origins, and generates a secret if
 * none is configured.
 */
export type AppMode = "development" | "local" | "production"

/** The declarations of an app, as loaded from its files. */
export interface AppDefinition extends DatabaseOptions {
  readonly resources: readonly SourcedDefinition[]
  readonly routes?: readonly SourcedRoute[]
  readonly services?: readonly SourcedService[]
  readonly emails?: readonly SourcedEmail[]
  readonly jobs?: readonly SourcedJob[]
  readonly channels?: readonly SourcedChannel[]
  /** A database that is already starting while the app is still loading; it is released when the app stops. */
  readonly database?: Promise<ChosenDatabase>
  /**
   * The author's migrations. If there are any, only migrations change the tables, and the last migration must end at
   * the app's current schema. Otherwise the app syncs the tables.
   */
  readonly migrations?: readonly Migration[]
  /** Unless set, "production" if `NODE_ENV` is "production", otherwise "local". */
  readonly mode?: AppMode
  now?(): Date
}
