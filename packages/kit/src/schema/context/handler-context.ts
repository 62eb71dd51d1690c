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
  RegisteredSystemCollections,
  RegisteredSystemGlobals,
  Services,
} from "./register.ts"

/** A promise of any type. Comparing full promise types would cost the TypeScript compiler more than it gains. */
export interface AnyPromise {
  readonly then: unknown
}

/** The fixed properties of the app. */
export interface AppFacts {
  readonly name: string
  /** The public URL of the app, if the settings have one. */
  readonly url: string | undefined
  readonly basePath: string
}

/**
 * The argument of routes, rules, hooks, jobs and services; each of them adds members of its own.
 * Every member is created on first read, so destructure it (`({ db, session }) => …`) rather than copy it.
 */
export interface HandlerContext extends Services {
  readonly session: CallerSession | null
  /** The locale of the call, which `collections` and `globals` use too; `*` for a read of all locales. */
  readonly locale: string
  /** Reads and writes as the caller. */
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  /** The database without rules and hooks: the connection of the transaction, or the pool outside of one. */
  readonly db: RegisteredDatabase
  /** Publishes jobs; inside a transaction, as part of it. */
  readonly queue: RegisteredQueue
  /** Publishes to channels, without their rules; inside a transaction, as part of it. */
  readonly channels: RegisteredChannels
  /** Sends mail; inside a transaction, after its commit. */
  readonly email: Mailer
  /** The key-value store; if it is the app's own database, writes are part of the transaction. */
  readonly kv: KeyValues
  /** The logger, which adds the id of the request to every line. */
  readonly logger: Logger
  readonly app: AppFacts
  /** Runs `work` in a transaction: all that the inner context does commits together, or rolls back on a throw. */
  readonly transaction: <Answer extends AnyPromise>(work: (context: HandlerContext) => Answer) => Answer
  /** Returns the same context without rules. */
  readonly asSystem: () => SystemContext
  /** Returns the same context with the rights of another user. */
  readonly asUser: (id: string) => Promise<HandlerContext>
  /**
   * Notifies live queries of a write that was made through `db`, as part of the same transaction.
   *
   * await touch("articles", ids)
   */
  readonly touch: (resource: string, ids?: string | readonly string[]) => Promise<void>
}

/** The context of system code, such as a job: no rule is evaluated, and no field is hidden. */
export interface SystemContext extends HandlerContext {
  readonly collections: RegisteredSystemCollections
  readonly globals: RegisteredSystemGlobals
  readonly transaction: <Answer extends AnyPromise>(work: (context: SystemContext) => Answer) => Answer
}
