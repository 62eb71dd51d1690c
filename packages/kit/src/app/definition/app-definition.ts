import type { StateListener } from "../../drivers/embedded-postgres/supervisor/server-state.ts"
import type { Migration } from "../../engine/migrate/apply-migrations.ts"
import type { SourcedChannel } from "../../features/channels/compile-channels.ts"
import type { SourcedEmail } from "../../features/email/compile-emails.ts"
import type { SourcedJob } from "../../features/jobs/compile-jobs.ts"
import type { SourcedRoute } from "../../features/routes/compile-routes.ts"
import type { SourcedService } from "../../features/services/compile-services.ts"
import type { SourcedDefinition } from "../../schema/compile/compile.ts"
import type { KitConfig } from "../config/config.ts"

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
  /** It runs only while a process of kit uses it. */
  readonly isEmbedded: boolean
  /** One sentence about it, for people. */
  readonly databaseNote: string
  /** Calls the listener when a database that kit runs itself goes down and when it is up again. */
  watch?(listener: StateListener): void
  release(): Promise<void>
}

/**
 * How much an app trusts its surroundings. Development trusts pages of every origin on this machine. Production
 * wants a secret of its own. Local is in between: no page is trusted, and a secret is made where none is set.
 */
export type AppMode = "development" | "local" | "production"

/** What an app is made of, as read from its files. */
export interface AppDefinition extends DatabasePlace {
  readonly resources: readonly SourcedDefinition[]
  readonly routes?: readonly SourcedRoute[]
  readonly services?: readonly SourcedService[]
  readonly emails?: readonly SourcedEmail[]
  readonly jobs?: readonly SourcedJob[]
  readonly channels?: readonly SourcedChannel[]
  /** Chosen already, to come up while the app was still loading; released with the app. */
  readonly database?: Promise<ChosenDatabase>
  /** If there are any, they alone change the tables, and the schema must be what they lead to; else the app syncs. */
  readonly migrations?: readonly Migration[]
  /** `production` where `NODE_ENV` says so, else `local`, unless set. */
  readonly mode?: AppMode
  now?(): Date
}
