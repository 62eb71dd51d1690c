import type { Caller, Connection } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { ValueSource } from "../../schema/compile/field-type.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import type { FilterLimits } from "../../sql/filter/filter-cost.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import type { RelationStages } from "../../sql/parse/relation-stage.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { DueClock } from "../database/due-clock.ts"
import type { SchemaWatch } from "../database/schema-watch.ts"
import type { AnswerBudget } from "./answer-budget.ts"
import type { CursorCipher } from "./cursor-cipher.ts"
import type { Lifetime } from "./lifetime.ts"
import type { ScheduleTransition } from "./pending-transition-job.ts"
import type { SearchServices } from "./search-services.ts"
import type { SharedRecordReads } from "./shared-record-reads.ts"

/** The first argument of every operation: the session, the schema, the connection, and the state of the operation. */
export interface OperationContext {
  readonly schema: AppSchema
  /** Rejects operations on tables that a newer version of the app has changed. */
  readonly tables: Pick<SchemaWatch, "requireUsable">
  /** The connection pool, or the connection on which a transaction is open. */
  readonly connection: Connection
  readonly session: Session | null
  /** True for system code, for which no access rule is evaluated. */
  readonly isSystem: boolean
  /** Where the values of a write come from. By default, a caller has sent them. */
  readonly valueSource?: ValueSource | undefined
  readonly locale: string
  readonly logger: Logger
  /**
   * True if optimisations are allowed, such as writes in one statement. If false, every operation takes its unoptimised
   * path in the code.
   */
  readonly hasShortcuts: boolean
  /** True if the PostgreSQL server supports `RETURNING old`, so that an UPDATE can return the row as it was before. */
  readonly returnsOldRows: boolean
  /** The limits for the filters that callers send. */
  readonly filterLimits: FilterLimits
  now(): Date
  readonly dueNow: DueClock
  /**
   * The lifetime of the request or direct call; undefined for work that outlives every request, such as live queries.
   */
  readonly lifetime: Lifetime | undefined
  /** The caller of the request; undefined for direct calls, and for work that outlives every request. */
  readonly caller: Caller | undefined
  /** Reads records for several requests at a time. */
  readonly sharedReads: SharedRecordReads
  /** The memory budget of the response. System code is exempt from it. */
  readonly answerBudget: AnswerBudget
  readonly handlerFor: HandlerContextMaker
  /** Writes the related records that are nested in the input of a write. */
  readonly writeNested: NestedWriter
  readonly scheduleTransition: ScheduleTransition
  readonly search: SearchServices
  readonly cursors: CursorCipher
  /**
   * The keys of the access rules whose evaluation led to this operation. Used to detect a rule that reads the data that
   * it protects.
   */
  readonly evaluatingRules: readonly string[]
  /** The number of nested hooks that led to this operation. Used to detect hooks that call each other forever. */
  readonly hookDepth: number
  /**
   * By the table of a stage, a predicate for the drafts that the caller may read. In a table without an entry, these are
   * all drafts.
   */
  readonly drafts?: ReadonlyMap<string, Predicate> | undefined
  /** The stages that relations in the option `with` of a read name for themselves. */
  readonly relationStages?: RelationStages | undefined
  /**
   * Present if this operation is part of a dry run, which will be rolled back. The object is the same in all operations
   * of one dry run.
   */
  readonly dryRun?: object | undefined
  /** The current attempt of a write. A failed attempt can be retried only if no hook has run in it. */
  readonly attempt?: { hasRunHooks: boolean } | undefined
  /** True in a nested write. Its result is not returned to the caller, so no read hook runs on that result. */
  readonly isNested?: boolean
  /**
   * The state that all nested writes inside one outer write share; undefined if this operation is not part of such a
   * write.
   */
  readonly nestedWriteState?: NestedWriteState | undefined
  /**
   * The key of the record whose write contains this nested write. The caller may refer to that record even if it is
   * hidden.
   */
  readonly parentKey?: string | undefined
}

/** The state that all nested writes inside one outer write share. */
interface NestedWriteState {
  count: number
  /** The keys of the records for which the outer write has already appended a change to `_kit_changes`. */
  readonly appendedKeys: Set<string>
}

/** Writes records of another collection as part of a write, with the caller's rights and in the write's transaction. */
export interface NestedWriter {
  /** Creates a record and returns its id. */
  create(ctx: OperationContext, target: Resource, data: RecordData): Promise<string>
  update(ctx: OperationContext, target: Resource, change: NestedUpdate): Promise<void>
  delete(ctx: OperationContext, target: Resource, id: string): Promise<void>
}

/** The update of a related record. */
interface NestedUpdate {
  readonly id: string
  readonly data: RecordData
}

/**
 * A function that builds the handler context for the author's code, with the rights and the connection of `ctx`.
 * `derive` returns the context for the operations that the author's code calls. It is called at most once, and only
 * when that code uses the database, because most rules read only the session.
 */
export type HandlerContextMaker = (ctx: OperationContext, derive?: () => OperationContext) => HandlerContext
