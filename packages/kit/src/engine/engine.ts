import type { Connection, Database } from "../ports/database.ts"
import type { Logger } from "../ports/logger.ts"
import type { Session } from "../ports/session-provider.ts"
import type { AppSchema } from "../schema/resource.ts"
import type { LocalApi } from "../wire/operations.ts"
import { createLocalApi } from "./local-api.ts"
import type { OperationContext } from "./operation-context.ts"

export interface EngineParts {
  readonly schema: AppSchema
  readonly database: Database
  readonly logger: Logger
  readonly locale: string
  readonly hasShortcuts: boolean
  now(): Date
}

/** Hands out the contexts in which the operations of an app run. */
export interface Engine {
  readonly schema: AppSchema
  contextFor(session: Session | null): OperationContext
  as(session: Session | null): LocalApi
  readonly system: LocalApi
  /** System operations on a connection that holds a transaction. */
  systemOn(connection: Connection): LocalApi
}

export function createEngine(parts: EngineParts): Engine {
  const { schema, logger, locale, hasShortcuts, database, now } = parts
  const judging: readonly string[] = []
  // Spelled out rather than spread from a shared part: it is made for every request.
  const contextFor = (session: Session | null): OperationContext => ({
    schema,
    connection: database,
    session,
    isSystem: false,
    locale,
    logger,
    hasShortcuts,
    now,
    apiFor: createLocalApi,
    judging,
    hookDepth: 0,
  })
  const systemContext: OperationContext = { ...contextFor(null), isSystem: true }
  return Object.freeze({
    schema,
    contextFor,
    as: (session: Session | null) => createLocalApi(contextFor(session)),
    system: createLocalApi(systemContext),
    systemOn: (connection: Connection) => createLocalApi({ ...systemContext, connection }),
  })
}
