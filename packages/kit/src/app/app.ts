import type { MigrationReport } from "../engine/migrate/apply-migrations.ts"
import type { SyncReport } from "../engine/migrate/sync-schema.ts"
import type { UserAccounts } from "../features/auth/accounts/user-accounts.ts"
import type { CompiledRoute } from "../features/routes/compile-routes.ts"
import type { ReindexProgress, SearchIndexStatus } from "../features/search/reindexer.ts"
import type { FetchHandler } from "../http/fetch-handler.ts"
import type { CallHandler } from "../ports/http.ts"
import type { Session } from "../ports/session-provider.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import type { KeyValues } from "../schema/context/key-values.ts"
import type { Mailer } from "../schema/context/mailer.ts"
import type { RegisteredChannels, RegisteredQueue } from "../schema/context/register.ts"
import type { AppApi, SystemApi } from "./definition/app-api.ts"
import type { NamedSeed } from "./handlers/run-seeds.ts"

/** Looks at the search indexes, and rebuilds them. */
interface SearchIndexes {
  /** Returns how far the index of each searchable collection is built, sorted by name. */
  status(): Promise<readonly SearchIndexStatus[]>
  /** Rebuilds the index of a collection. Resolves when it is rebuilt; searches are answered meanwhile. */
  rebuild(collection: string, onProgress?: (progress: ReindexProgress) => void): Promise<void>
}

/** A running app. */
export interface App {
  readonly schema: AppSchema
  readonly basePath: string
  /** The author's routes, sorted by title. */
  readonly routes: readonly CompiledRoute[]
  /** One sentence that describes the database in use, for logs and the terminal. */
  readonly databaseNote: string
  readonly syncReport: SyncReport
  readonly migrationReport: MigrationReport
  /** Serves the API as a web-standard function from `Request` to `Response`. */
  readonly handler: FetchHandler
  /** Serves the API for HTTP servers that do not create a `Request` object for each call. */
  readonly handle: CallHandler
  /**
   * The path of the console when the app answers every path, as with `kit start`; undefined if it has none. At
   * `/_kit/console` below the base path it is in any case, unless the setting `console` is false.
   */
  readonly consolePath: string | undefined
  /**
   * Returns the token that finishes the set-up, for the link `/admin#setup=…`; undefined once an account has the role
   * `admin`, and for an app without a console or without kit's own users.
   */
  setUpToken(): Promise<string | undefined>
  /**
   * True if the URL's path is the app's base path, the path that the setting `console.path` names, or lies below one of
   * them; the host framework handles all other URLs.
   */
  serves(url: string): boolean
  /** Returns operations with the rights of this session, or of an anonymous caller if the session is null. */
  as(session: Session | null): AppApi
  /** Operations that bypass every rule. */
  readonly system: SystemApi
  /** Creates users who can sign in. */
  readonly users: UserAccounts
  readonly email: Mailer
  readonly kv: KeyValues
  /** Publishes jobs outside of any transaction and on behalf of no user. */
  readonly queue: RegisteredQueue
  /** Publishes events to channels, outside of any transaction. */
  readonly channels: RegisteredChannels
  /** Runs jobs in this process, including the framework's own jobs, until `stopWorker` or `stop` is called. */
  startWorker(): Promise<void>
  /** Takes no more jobs and waits some seconds for running jobs. Longer jobs are left to other workers. */
  stopWorker(): Promise<void>
  /** Runs the seeds that have not run on this database; resolves to the names of the seeds that ran. */
  seed(seeds: readonly NamedSeed[]): Promise<readonly string[]>
  /** The search indexes of the app's collections, without rules. */
  readonly searchIndexes: SearchIndexes
  /**
   * Has `/_kit/ready` answer 503, so that load balancers send this process no more requests. It still serves those that
   * arrive. This is the first step of stopping a server.
   */
  turnNotReady(): void
  /** Ends all live streams and refuses new streams. Call it before the server closes its connections. */
  endStreams(): void
  /** Stops the worker, disposes services, sends queued mail, closes the database. Call it after all requests ended. */
  stop(): Promise<void>
}
