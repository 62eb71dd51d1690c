import type { Caller, Connection, Database } from "../ports/database.ts"
import type { Logger } from "../ports/logger.ts"
import type { Session } from "../ports/session-provider.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import type { FilterLimits } from "../sql/filter/filter-cost.ts"
import type { LocalApi } from "../wire/results/operations.ts"
import { AnswerBudget, AnswerBudgets } from "./context/answer-budget.ts"
import type { Lifetime } from "./context/lifetime.ts"
import type { HandlerContextMaker, OperationContext } from "./context/operation-context.ts"
import type { ScheduleTransition } from "./context/pending-transition-job.ts"
import type { SchemaWatch } from "./database/schema-watch.ts"
import { createLocalApi } from "./local-api.ts"

export interface EngineDependencies {
  readonly schema: AppSchema
  readonly tables: Pick<SchemaWatch, "requireUsable">
  /** Called for each request. At intervals, it checks the tables and the storage in the background. */
  checkInBackground(): void
  readonly database: Database
  readonly logger: Logger
  readonly hasShortcuts: boolean
  readonly returnsOldRows: boolean
  readonly filterLimits: FilterLimits
  now(): Date
  /** The maximum size of an answer. */
  readonly maxAnswerBytes: number
  readonly handlerFor: HandlerContextMaker
  readonly scheduleTransition: ScheduleTransition
}

/** The facts about a request that its operations need. */
export interface RequestFacts {
  /** The caller whose limits the statements have; without a caller they have the limits of system code. */
  readonly caller?: Caller
  readonly lifetime?: Lifetime
  /** A logger that adds the id of the request to its lines. */
  readonly logger: Logger
  /** The preferred locale of the client. Default: the default locale of the app. */
  readonly locale?: string
}

/** Creates the contexts in which the operations of an app run. */
export interface Engine {
  readonly schema: AppSchema
  contextFor(session: Session | null, request?: RequestFacts): OperationContext
  as(session: Session | null): LocalApi
  readonly system: LocalApi
  /** Returns the operations of system code on a connection with an open transaction. */
  systemOn(connection: Connection): LocalApi
}

export function createEngine(dependencies: EngineDependencies): Engine {
  const { schema, tables, hasShortcuts, returnsOldRows, filterLimits, database, now, handlerFor, scheduleTransition } =
    dependencies
  const evaluatingRules: readonly string[] = []
  const budgets = new AnswerBudgets(dependencies.maxAnswerBytes)
  // Every request creates a context. The literal lists all properties, because a spread of a shared object is slower.
  const contextOf = (session: Session | null, request?: RequestFacts): OperationContext => ({
    schema: request?.locale ? schema.inLocale({ locale: request.locale, hasFallback: true }) : schema,
    tables,
    connection: request?.caller ? database.forCaller(request.caller) : database,
    session,
    isSystem: false,
    locale: request?.locale ?? schema.locales.default,
    logger: request?.logger ?? dependencies.logger,
    hasShortcuts,
    returnsOldRows,
    filterLimits,
    now,
    lifetime: request?.lifetime,
    // Work that outlives every request, such as live queries, reserves no memory: only a request releases it.
    answerBudget: new AnswerBudget(budgets, request?.lifetime && request.caller),
    handlerFor,
    scheduleTransition,
    evaluatingRules,
    hookDepth: 0,
  })
  const contextFor = (session: Session | null, request?: RequestFacts): OperationContext => {
    dependencies.checkInBackground()
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
