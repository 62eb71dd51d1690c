import type { Logger } from "../../ports/logger.ts"
import type { KeyValues } from "./key-values.ts"
import type { Mailer } from "./mailer.ts"
import type {
  CallerSession,
  RegisteredChannels,
  RegisteredCollections,
  RegisteredDatabase,
  RegisteredGlobals,
  RegisteredQueue,
  RegisteredSearch,
  RegisteredSystemCollections,
  RegisteredSystemGlobals,
  Services,
} from "./register.ts"

/** A promise of any type. Comparing complete promise types would cost the TypeScript compiler too much time. */
export interface AnyPromise {
  readonly then: unknown
}

/** The app's properties that do not change while it runs. */
export interface AppFacts {
  readonly name: string
  /** The app's public URL, if it is configured. */
  readonly url: string | undefined
  readonly basePath: string
}

/**
 * The argument of routes, rules, hooks, jobs and services, each of which adds its own members. Every member is created
 * on first read, so destructure the context (`({ db, session }) => …`) rather than copy it.
 */
export interface HandlerContext extends Services {
  readonly session: CallerSession | null
  /** The request's locale, which `collections` and `globals` use too. `*` if the request reads all locales. */
  readonly locale: string
  /**
   * True if the code runs as part of a dry run, which is rolled back. What the context does is then undone; leave out
   * effects of your own, such as calls to other servers.
   */
  readonly dryRun: boolean
  /** Reads and writes collections with the caller's rights. */
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  /** Searches the searchable collections with the caller's rights. */
  readonly search: RegisteredSearch
  /** The database without rules and hooks: the transaction's connection, or the pool outside of a transaction. */
  readonly db: RegisteredDatabase
  /** Publishes jobs. Inside a transaction, the jobs are published only if the transaction commits. */
  readonly queue: RegisteredQueue
  /** Publishes events to channels without evaluating rules. In a transaction, events are sent only if it commits. */
  readonly channels: RegisteredChannels
  /** Sends mail. Inside a transaction, the mail is sent after the commit. */
  readonly email: Mailer
  /**
   * The key-value store. If it is kept in the app's database, writes to it inside a transaction are part of the
   * transaction.
   */
  readonly kv: KeyValues
  /** The logger. It adds the request's id to every log line. */
  readonly logger: Logger
  readonly app: AppFacts
  /** Runs `work` in a transaction. All that is done with the inner context commits together; a throw rolls it back. */
  readonly transaction: <Answer extends AnyPromise>(work: (context: HandlerContext) => Answer) => Answer
  /** Returns a copy of this context for which no rule is evaluated. */
  readonly asSystem: () => SystemContext
  /** Returns a copy of this context with the rights of another user. */
  readonly asUser: (id: string) => Promise<HandlerContext>
  /**
   * Makes live queries run again after a write made through `db`. The notification is part of the write's transaction.
   *
   * await touch("articles", ids)
   */
  readonly touch: (resource: string, ids?: string | readonly string[]) => Promise<void>
}

/** The context of code that runs only for callers who are signed in. */
export interface SignedInContext extends HandlerContext {
  readonly session: CallerSession
  readonly transaction: <Answer extends AnyPromise>(work: (context: SignedInContext) => Answer) => Answer
}

/** The context of system code, such as a job. No rule is evaluated, and no field is hidden. */
export interface SystemContext extends HandlerContext {
  readonly collections: RegisteredSystemCollections
  readonly globals: RegisteredSystemGlobals
  readonly transaction: <Answer extends AnyPromise>(work: (context: SystemContext) => Answer) => Answer
}
