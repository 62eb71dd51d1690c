import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { Aggregation } from "../../../sql/aggregate/aggregation.ts"
import { selectAggregate, selectionOf } from "../../../sql/aggregate/select-aggregate.ts"
import { NEVER, type Predicate } from "../../../sql/filter/predicate.ts"
import type { Selection } from "../../../sql/parse/selection.ts"
import { selectRange } from "../../../sql/read/cursor-page.ts"
import { selectGroups } from "../../../sql/read/group.ts"
import { countedUpTo } from "../../../sql/read/page-total.ts"
import { countMatching, selectMatching, selectPageAndNext, selectPageWithTotal } from "../../../sql/read/select.ts"
import { type TablesByPurpose, tablesOfRead } from "../../../sql/read/tables-read.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import { ownerOf } from "../../cursors/cursor.ts"
import { type Answer, type JsonAnswer, plainAnswer } from "../../read/answer.ts"
import {
  type PlannedPage,
  planAggregate,
  planCount,
  planGlobal,
  planGroups,
  planPage,
  planRecord,
  type RecordRead,
} from "../../read/plan-read.ts"
import { hasReadHooks } from "../../read/read-hooks.ts"
import { readPlannedAggregate } from "./aggregate.ts"
import { readPlannedCount, readPlannedGlobal } from "./find.ts"
import { readPageAsJson, readRecordAsJson } from "./find-as-json.ts"
import { hasGroupHooks, readPlannedGroups } from "./find-groups.ts"
import { isRange } from "./find-range.ts"

/** A read as a client requests it, before it is checked. */
export interface ReadRequest {
  /** The operation on a collection: `find` if undefined, `count`, `aggregate` or `record`. */
  readonly operation?: unknown
  /** The id of the record, if the operation is `record`. */
  readonly id?: unknown
  readonly given: UncheckedOptions
}

/** A read that was checked and authorized, with everything that decides whether a change can alter its result. */
export interface PlannedRead {
  readonly selection: Selection
  readonly predicate: Predicate
  readonly statement: Statement
  readonly tables: TablesByPurpose
  /** True if the result is the number of matching rows, which only rows that enter or leave can alter. */
  readonly isCount: boolean
  /** True if `afterRead` hooks of the author make the result. */
  readonly hasHooks: boolean
  /** The part of the result's shape that neither the statement nor the selection shows. */
  readonly shape: string
  /** Runs the read itself with `ctx`, and its `afterRead` hooks with `hookCtx`. */
  run(ctx: OperationContext, hookCtx: OperationContext): Promise<JsonAnswer | Answer<unknown>>
}

/** Plans the read that a request names: of a global, a page, groups, a number of records, computed values, or one record. */
export function planRequestedRead(
  ctx: OperationContext,
  resource: Resource,
  request: ReadRequest,
): Promise<PlannedRead> {
  const { operation = "find", id, given } = request
  if (resource.kind === "global") return planGlobalRead(ctx, resource, request)
  if (operation === "record") return planRecordRead(ctx, resource, { id, given })
  if (id !== undefined) throw invalid("read.id", 'Only the operation "record" has an id.')
  if (operation === "count") return planCountRead(ctx, resource, given)
  if (operation === "aggregate") return planAggregateRead(ctx, resource, given)
  if (operation !== "find") throw invalid("read.operation", 'Expected "find", "count", "aggregate" or "record".')
  return given.options["groupBy"] === undefined
    ? planPageRead(ctx, resource, given)
    : planGroupsRead(ctx, resource, given)
}

async function planPageRead(ctx: OperationContext, resource: Resource, given: UncheckedOptions): Promise<PlannedRead> {
  const read = await planPage(ctx, resource, given)
  return {
    ...read,
    ...recordsOf(read.selection),
    shape: shapeOfPage(ctx, read),
    statement: selectPage(read),
    tables: tablesOfRead(read),
    run: (later, hookCtx) => readPageAsJson(later, read, hookCtx),
  }
}

// Cursors belong to one caller, so that reads of two callers never share them.
function shapeOfPage(ctx: OperationContext, read: PlannedPage): string {
  const shape = `records, total ${read.total.kind}`
  return isRange(read) ? JSON.stringify([shape, ownerOf(ctx), read.range.given]) : shape
}

function selectPage(read: PlannedPage): Statement {
  if (isRange(read)) return selectRange(read)
  return read.total.kind === "exact" ? selectPageWithTotal(read) : selectPageAndNext(read, countedUpTo(read.total))
}

async function planGroupsRead(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<PlannedRead> {
  const read = await planGroups(ctx, resource, given)
  return {
    ...read,
    ...recordsOf(read.selection),
    hasHooks: hasGroupHooks(read),
    shape: `groups by ${read.grouping.field.name}`,
    statement: selectGroups(read),
    tables: tablesOfRead(read),
    run: (later, hookCtx) => readPlannedGroups(later, read, hookCtx),
  }
}

async function planCountRead(ctx: OperationContext, resource: Resource, given: UncheckedOptions): Promise<PlannedRead> {
  const read = await planCount(ctx, resource, given)
  const selection = { resource: read.resource, fields: [], relations: [] }
  return {
    selection,
    predicate: read.predicate,
    isCount: true,
    hasHooks: false,
    shape: "count",
    statement: countMatching(read.resource, read.predicate, read.most),
    tables: tablesOfRead({ selection, predicate: read.predicate }),
    run: (later) => readPlannedCount(later, read),
  }
}

async function planAggregateRead(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<PlannedRead> {
  const read = await planAggregate(ctx, resource, given)
  const selection = selectionOf(read)
  return {
    selection,
    predicate: read.predicate,
    isCount: false,
    hasHooks: false,
    shape: shapeOfAggregate(read.aggregation),
    statement: selectAggregate(read),
    tables: tablesOfRead({ selection, predicate: read.predicate }),
    run: (later) => readPlannedAggregate(later, read),
  }
}

// The statement does not show which of its values are in the answer, nor under which names.
function shapeOfAggregate({ keys, measures }: Aggregation): string {
  const names = keys.map(({ field }) => field.name)
  const shown = measures.map((measure) => [
    measure.isShown,
    measure.kind,
    measure.kind !== "count" && measure.field.name,
  ])
  return `aggregate ${JSON.stringify([names, shown])}`
}

async function planRecordRead(
  ctx: OperationContext,
  resource: Resource,
  { id, given }: Pick<ReadRequest, "id" | "given">,
): Promise<PlannedRead> {
  if (typeof id !== "string" || id === "") throw invalid("read.id", "Expected the id of the record.")
  const read = await planRecord(ctx, resource, { id, given })
  if (read === undefined) return planMissingRecord(resource)
  return {
    ...planOne(read),
    run: async (later, hookCtx) => (await readRecordAsJson(later, read, hookCtx)) ?? plainAnswer(null),
  }
}

// No record can have an id that is malformed. Whatever changes, the result is null.
function planMissingRecord(resource: Resource): PlannedRead {
  const selection = { resource, fields: [resource.id], relations: [] }
  return { ...planOne({ selection, predicate: NEVER }), hasHooks: false, run: async () => plainAnswer(null) }
}

async function planGlobalRead(
  ctx: OperationContext,
  resource: Resource,
  { operation, id, given }: ReadRequest,
): Promise<PlannedRead> {
  if (operation !== undefined) throw invalid("read.operation", "A global has one record. Leave it out.")
  if (id !== undefined) throw invalid("read.id", "A global has one record. Leave it out.")
  const read = await planGlobal(ctx, resource, given)
  return { ...planOne(read), run: (later, hookCtx) => readPlannedGlobal(later, read, hookCtx) }
}

function planOne(read: RecordRead): Omit<PlannedRead, "run"> {
  return {
    ...read,
    ...recordsOf(read.selection),
    statement: selectMatching(read.selection, read.predicate),
    tables: tablesOfRead(read),
  }
}

function recordsOf(selection: Selection): Pick<PlannedRead, "isCount" | "hasHooks" | "shape"> {
  return { isCount: false, hasHooks: hasReadHooks(selection), shape: "records" }
}
