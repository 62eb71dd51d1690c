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

/** A promise, whatever of: to compare it with another one would cost a compiler more than all that is done with it. */
export interface Promised {
  readonly then: unknown
}

/** What is fixed about the app. */
export interface AppFacts {
  readonly name: string
  /** Where the app is reached from outside, where the settings say so. */
  readonly url: string | undefined
  readonly basePath: string
}

/**
 * What routes, rules, hooks, jobs and services work with; each adds what it knows about its own moment.
 * Every member is made when it is first read, so take it apart (`({ db, session }) => …`) rather than copy it.
 */
export interface HandlerContext extends Services {
  readonly session: CallerSession | null
  /** The locale of the call, which `collections` and `globals` read and write too; `*` while all are read at once. */
  readonly locale: string
  /** Reads and writes as the caller. */
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
  /** The database itself, past every rule and hook: in a transaction its connection, else the pool. */
  readonly db: RegisteredDatabase
  /** Publishes jobs; in a transaction as part of it. */
  readonly queue: RegisteredQueue
  /** Publishes to channels, past their rules; in a transaction as part of it. */
  readonly channels: RegisteredChannels
  /** In a transaction, mail leaves after its commit. */
  readonly email: Mailer
  /** Values under keys; in the app's own database as part of the transaction. */
  readonly kv: KeyValues
  /** Adds the id of the request to every line. */
  readonly logger: Logger
  readonly app: AppFacts
  /** Everything done through the inner context is stored together, or not at all if `work` throws. */
  readonly transaction: <Answer extends Promised>(work: (context: HandlerContext) => Answer) => Answer
  /** The same context past every rule. */
  readonly asSystem: () => SystemContext
  /** The same context under the rights of another user. */
  readonly asUser: (id: string) => Promise<HandlerContext>
  /**
   * Tells listeners of a write that was made through `db`, as part of the same transaction.
   *
   * await touch("articles", ids)
   */
  readonly touch: (resource: string, ids?: string | readonly string[]) => Promise<void>
}

/** The context of system code, such as a job: no rule holds, and no field is hidden. */
export interface SystemContext extends HandlerContext {
  readonly collections: RegisteredSystemCollections
  readonly globals: RegisteredSystemGlobals
  readonly transaction: <Answer extends Promised>(work: (context: SystemContext) => Answer) => Answer
}
