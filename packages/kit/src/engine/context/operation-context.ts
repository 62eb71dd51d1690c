import type { Connection } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import type { FilterLimits } from "../../sql/filter/filter-cost.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import type { SchemaWatch } from "../database/schema-watch.ts"
import type { AnswerBudget } from "./answer-budget.ts"
import type { Lifetime } from "./lifetime.ts"
import type { ScheduleTransition } from "./pending-transition-job.ts"

/** The first argument of every operation: the session, the schema, the connection, and the state of the call. */
export interface OperationContext {
  readonly schema: AppSchema
  /** Rejects operations on tables that a newer version of the app has changed. */
  readonly tables: Pick<SchemaWatch, "requireUsable">
  /** The pool, or the connection of the open transaction. */
  readonly connection: Connection
  readonly session: Session | null
  /** True for system code: no rule is evaluated for it. */
  readonly isSystem: boolean
  readonly locale: string
  readonly logger: Logger
  /** Allows optimisations such as writes in one statement. If false, every operation takes its general path. */
  readonly hasShortcuts: boolean
  /** True if the server supports `RETURNING old`: an update can return the row as it was before. */
  readonly returnsOldRows: boolean
  /** The limits of the filters of callers. */
  readonly filterLimits: FilterLimits
  now(): Date
  /** The lifetime of the request or call; undefined for work that outlives every request, such as live queries. */
  readonly lifetime: Lifetime | undefined
  /** The memory budget of the answer; system code is exempt. */
  readonly answerBudget: AnswerBudget
  readonly handlerFor: HandlerContextMaker
  readonly scheduleTransition: ScheduleTransition
  /** The rules whose evaluation led to this operation. Detects a rule that reads the data that it protects. */
  readonly evaluatingRules: readonly string[]
  /** The number of nested hooks that led to this operation. Detects hooks that call each other forever. */
  readonly hookDepth: number
  /** By table: the drafts that the caller may read, for the tables whose drafts are read. */
  readonly drafts?: ReadonlyMap<string, Predicate> | undefined
  /** The attempt of a write that can be retried until a hook has run. */
  readonly attempt?: { hasRunHooks: boolean } | undefined
  /** True in a nested write: its answer is not returned to the caller, so no read hook runs on it. */
  readonly isNested?: boolean
  /** The state of the nested writes, if this operation is part of them. */
  readonly nestedWriteState?: NestedWriteState | undefined
  /** The key of the record that contains this nested write. The caller may refer to it even if it is hidden. */
  readonly parentKey?: string | undefined
}

/** The state of the nested writes of one write so far. */
export interface NestedWriteState {
  count: number
  /** The keys of the records for which a change has already been appended. */
  readonly appendedKeys: Set<string>
}

/**
 * Builds the handler context of the author's code, with the rights and on the connection of `ctx`. It calls `derive` at
 * most once, and only when the code uses the database: most rules read only the session.
 */
export type HandlerContextMaker = (ctx: OperationContext, derive?: () => OperationContext) => HandlerContext
