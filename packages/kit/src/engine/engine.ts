import type { Caller, Connection, Database } from "../ports/database.ts"
import type { Logger } from "../ports/logger.ts"
import type { Session } from "../ports/session-provider.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import type { FilterLimits } from "../sql/filter/filter-cost.ts"
import type { LocalApi } from "../wire/results/operations.ts"
import { AnswerBudget, AnswerBudgets } from "./context/answer-budget.ts"
import type { Lifetime } from "./context/lifetime.ts"
import type { HandlerContextMaker, OperationContext } from "./context/operation-context.ts"
import type { ScheduleMove } from "./context/scheduled-move.ts"
import type { SchemaWatch } from "./database/schema-watch.ts"
import { createLocalApi } from "./local-api.ts"

export interface EngineParts {
  readonly schema: AppSchema
  readonly tables: Pick<SchemaWatch, "require">
  /** Called for each request. */
  lookNowAndThen(): void
  readonly database: Database
  readonly logger: Logger
  readonly hasShortcuts: boolean
  readonly returnsOldRows: boolean
  readonly filterLimits: FilterLimits
  now(): Date
  /** How many bytes an answer may have. */
  readonly maxAnswerBytes: number
  readonly handlerFor: HandlerContextMaker
  readonly scheduleMove: ScheduleMove
}

/** What a request brings along. */
export interface RequestFacts {
  /** For whom its statements run; without one they have the limits of the system. */
  readonly caller?: Caller
  readonly lifetime?: Lifetime
  /** Names the request in its lines. */
  readonly logger: Logger
  /** The one that its sender prefers; the default one unless given. */
  readonly locale?: string
}

/** Hands out the contexts in which the operations of an app run. */
export interface Engine {
  readonly schema: AppSchema
  contextFor(session: Session | null, request?: RequestFacts): OperationContext
  as(session: Session | null): LocalApi
  readonly system: LocalApi
  /** System operations on a connection that holds a transaction. */
  systemOn(connection: Connection): LocalApi
}

export function createEngine(parts: EngineParts): Engine {
  const { schema, tables, hasShortcuts, returnsOldRows, filterLimits, database, now, handlerFor, scheduleMove } = parts
  const judging: readonly string[] = []
  const budgets = new AnswerBudgets(parts.maxAnswerBytes)
  // Spelled out rather than spread from a shared part: it is made for every request.
  const contextOf = (session: Session | null, request?: RequestFacts): OperationContext => ({
    schema: request?.locale ? schema.inLocale({ locale: request.locale, hasFallback: true }) : schema,
    tables,
    connection: request?.caller ? database.forCaller(request.caller) : database,
    session,
    isSystem: false,
    locale: request?.locale ?? schema.locales.default,
    logger: request?.logger ?? parts.logger,
    hasShortcuts,
    returnsOldRows,
    filterLimits,
    now,
    lifetime: request?.lifetime,
    // What outlives all requests, as live queries do, has an end of its own to count its bytes by.
    answers: new AnswerBudget(budgets, request?.lifetime && request.caller),
    handlerFor,
    scheduleMove,
    judging,
    hookDepth: 0,
  })
  const contextFor = (session: Session | null, request?: RequestFacts): OperationContext => {
    parts.lookNowAndThen()
    return contextOf(session, request)
  }
  const systemContext: OperationContext = { ...contextOf(null), isSystem: true }
  return Object.freeze({
    schema,
    contextFor,
    as: (session: Session | null) => createLocalApi(contextFor(session)),
    system: createLocalApi(systemContext),
    systemOn: (connection: Connection) => createLocalApi({ ...systemContext, connection }),
  })
}
