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
import type { ScheduleMove } from "./scheduled-move.ts"

/** Who acts, on what, and when: the first argument of every operation. */
export interface OperationContext {
  readonly schema: AppSchema
  /** Refuses the tables that a newer version of the app has changed. */
  readonly tables: Pick<SchemaWatch, "require">
  /** The pool, or the connection of the transaction that is open. */
  readonly connection: Connection
  readonly session: Session | null
  /** System code passes every rule. */
  readonly isSystem: boolean
  readonly locale: string
  readonly logger: Logger
  /** One-statement writes and the like; off, every operation takes its general path. */
  readonly hasShortcuts: boolean
  /** Whether the server can say in the statement of an update what a row was before. */
  readonly returnsOldRows: boolean
  /** What the filters of callers may cost. */
  readonly filterLimits: FilterLimits
  now(): Date
  /** The request or call that this is part of; none in what outlives all of them. */
  readonly lifetime: Lifetime | undefined
  /** How long the answer may become; system code is exempt. */
  readonly answers: AnswerBudget
  readonly handlerFor: HandlerContextMaker
  readonly scheduleMove: ScheduleMove
  /** The rules whose judgement led to this operation, to find one that asks for itself. */
  readonly judging: readonly string[]
  /** How many hooks deep this operation was called, to find hooks that call each other for ever. */
  readonly hookDepth: number
  /** Of the resources whose drafts are read: those rows of them that the rule lets the caller see, by table. */
  readonly drafts?: ReadonlyMap<string, Predicate> | undefined
  /** Set by a write that may be run again; told when it may not be any more. */
  readonly attempt?: { hasRunHooks: boolean } | undefined
  /** Part of the write of another record: nobody sees its answer, so no hook is asked how to show it. */
  readonly isNested?: boolean
  /** Set where this operation is part of a write that reaches others through relations. */
  readonly related?: RelatedWrites | undefined
  /** The key of the record whose write this is part of: the caller may point to it, whether they may read it or not. */
  readonly parent?: string | undefined
}

/** What a write has done through relations so far. */
export interface RelatedWrites {
  count: number
  /** The keys of the records that a change tells of already. */
  readonly noted: Set<string>
}

/**
 * Makes what the author's code works with: as the caller of `ctx`, on its connection. `derive` is asked at most once, and
 * only when something is done through the context: most rules look at nothing but the session.
 */
export type HandlerContextMaker = (ctx: OperationContext, derive?: () => OperationContext) => HandlerContext
