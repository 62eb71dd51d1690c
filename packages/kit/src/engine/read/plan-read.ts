import type { BeforeReadContext } from "../../schema/builders/hooks.ts"
import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { isPromise, type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { parseAggregation } from "../../sql/aggregate/parse-aggregation.ts"
import type { AggregateRead } from "../../sql/aggregate/select-aggregate.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import { ALWAYS, both, NEVER, type Predicate } from "../../sql/filter/predicate.ts"
import type { ParseContext } from "../../sql/parse/parse-context.ts"
import { parseGroupBy } from "../../sql/parse/parse-group.ts"
import { parseOrder } from "../../sql/parse/parse-order.ts"
import { maxRelatedRecords, parseSelection } from "../../sql/parse/parse-selection.ts"
import { parseWhere } from "../../sql/parse/parse-where.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import type { GroupRead } from "../../sql/read/group-read.ts"
import { mayBeEstimated, type PageTotal } from "../../sql/read/page-total.ts"
import type { PageRead } from "../../sql/read/select.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { QUERY_LIMITS, type ReadKind } from "../../wire/options/query-options.ts"
import { readableRows } from "../access/readable-rows.ts"
import { inStage } from "../access/stage.ts"
import type { StagedRead } from "../access/staged-read.ts"
import type { OperationContext } from "../context/operation-context.ts"
import {
  checkOptions,
  isByCursor,
  readGroupCounting,
  readGroupLimit,
  readGroupWindow,
  readMax,
  readTotal,
  readWindow,
  type UncheckedOptions,
} from "../context/read-options.ts"
import { type CursorRange, planRange } from "../cursors/plan-range.ts"
import { byId, canonicalId, storedId } from "./by-id.ts"
import { runBeforeRead } from "./read-hooks.ts"
import { readSearch } from "./read-search.ts"
import { readingFor } from "./reading-for.ts"

/** A read of one page of records, and how the matching records are counted. */
export interface PlannedPage extends PageRead {
  readonly total: PageTotal
  /** The part of the list from which the page is read, if it is read by cursors. */
  readonly range?: CursorRange
}

/** Plans the read of one page of records. */
export function planPage(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): MaybePromise<PlannedPage> {
  const planned = planRead(ctx, resource, { options: "find", operation: "find", given, parse: parsePage })
  return isByCursor(given) ? planByCursor(ctx, planned, given) : planned
}

async function planByCursor(
  ctx: OperationContext,
  planned: MaybePromise<PlannedPage>,
  given: UncheckedOptions,
): Promise<PlannedPage> {
  const read = await planned
  return { ...read, range: await planRange(ctx, read, given) }
}

/** Plans the read of one page of groups. */
export function planGroups(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): MaybePromise<GroupRead> {
  const checkFirst = () => readGroupCounting(given)
  return planRead(ctx, resource, { options: "groups", operation: "find", given, checkFirst, parse: parseGroups })
}

/** A count of records whose options have been parsed and checked. */
export interface CountRead {
  readonly resource: Resource
  readonly predicate: Predicate
  /** The number at which the count ends. */
  readonly most?: number | undefined
}

/** Plans a count of records. */
export function planCount(ctx: OperationContext, resource: Resource, given: UncheckedOptions): MaybePromise<CountRead> {
  return planRead(ctx, resource, { options: "count", operation: "count", given, parse: parseCount })
}

/** Plans a read of values that are computed from records. */
export function planAggregate(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): MaybePromise<AggregateRead> {
  const checkFirst = () => {
    if (ctx.locale === ALL_LOCALES) throw invalid("locale", "An aggregate reads one locale. Name it.")
  }
  return planRead(ctx, resource, { options: "aggregate", operation: "count", given, checkFirst, parse: parseAggregate })
}

/** A read of one record whose options have been parsed and checked. */
export interface RecordRead {
  readonly selection: Selection
  readonly predicate: Predicate
  /** The two parts of the predicate, if it consists of nothing but the id and the rows that the caller may read. */
  readonly addressed?: { readonly id: string; readonly readable: Predicate } | undefined
}

export interface RecordRequest {
  readonly id: string
  readonly given: UncheckedOptions
}

/** Plans the read of one record. Returns undefined if the id is malformed. */
export function planRecord(
  ctx: OperationContext,
  resource: Resource,
  { id, given }: RecordRequest,
): MaybePromise<RecordRead | undefined> {
  const parse = (allowed: AllowedRead) => parseRecord(allowed, storedId(allowed.resource, id))
  return planRead(ctx, resource, { options: "record", operation: "get", id, given, parse })
}

/** Plans the read of a global's record. Its rules and hooks get no id, because a global has only one record. */
export function planGlobal(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): MaybePromise<RecordRead> {
  return planRead(ctx, resource, { options: "global", operation: "get", given, parse: parseGlobal })
}

/** The properties of a read that differ from one kind of read to another. */
interface ReadRequest<Plan> {
  /** The kind of operation, which determines the options that exist. */
  readonly options: ReadKind
  /** The operation as the hooks know it. */
  readonly operation: BeforeReadContext["operation"]
  readonly id?: string
  readonly given: UncheckedOptions
  /** Checks options that are rejected before any rule is evaluated. */
  checkFirst?(): void
  /** Parses the options that this kind of read has. */
  parse(allowed: AllowedRead): Plan
}

/** A read that the rules allow and whose options have not been parsed yet. */
interface AllowedRead {
  readonly ctx: OperationContext
  readonly resource: Resource
  readonly given: UncheckedOptions
  /** The rows that the caller may read. */
  readonly readable: Predicate
  readonly reading: ParseContext
}

// Plans a read: checks its options and the caller's rights, and parses the options. The returned plan needs no further
// checks. All statements that run here come from rules and hooks. Without either of them, nothing is waited for: a plan
// with a promise at each step takes 14 promises more.
function planRead<Plan>(outer: OperationContext, asked: Resource, request: ReadRequest<Plan>): MaybePromise<Plan> {
  checkOptions(outer, request.options, request.given)
  const staged = inStage(outer, asked, request.given)
  const mayWait = isPromise(staged) || asked.hooks.beforeRead.length > 0
  return mayWait ? planAfterHooks(staged, request) : planByRules(staged, request)
}

async function planAfterHooks<Plan>(staging: MaybePromise<StagedRead>, request: ReadRequest<Plan>): Promise<Plan> {
  const { ctx, resource } = await staging
  request.checkFirst?.()
  const { given, operation } = request
  const addressed = addressedRecord(resource, request)
  const readable = await readableRows(ctx, resource, { given, ...addressed })
  await runBeforeRead(ctx, resource, { operation, ...addressed })
  const reading = await readingFor(ctx, resource, given)
  return request.parse({ ctx, resource, given, readable, reading })
}

function planByRules<Plan>({ ctx, resource }: StagedRead, request: ReadRequest<Plan>): MaybePromise<Plan> {
  request.checkFirst?.()
  const { given } = request
  return whenReady(readableRows(ctx, resource, { given, ...addressedRecord(resource, request) }), (readable) =>
    whenReady(readingFor(ctx, resource, given), (reading) =>
      request.parse({ ctx, resource, given, readable, reading }),
    ),
  )
}

function addressedRecord(resource: Resource, { id }: Pick<ReadRequest<unknown>, "id">): { readonly id?: string } {
  return id === undefined ? {} : { id: canonicalId(resource, id) }
}

function parsePage(allowed: AllowedRead): PlannedPage {
  const list = parseList(allowed)
  const read = { ...list, window: readWindow(allowed.given), total: parseTotal(allowed, list.predicate) }
  checkHydratedRecords(read.selection, read.window.limit)
  return read
}

function parseTotal({ ctx, resource, given, readable }: AllowedRead, predicate: Predicate): PageTotal {
  const total = readTotal(given)
  const isRefused = total.kind === "estimate" && !ctx.isSystem && !mayBeEstimated({ resource, predicate }, readable)
  return isRefused ? { kind: "atMost", max: QUERY_LIMITS.maxInsteadOfEstimate } : total
}

function parseGroups(allowed: AllowedRead): GroupRead {
  const { resource, given, reading } = allowed
  const grouping = parseGroupBy(resource, given.options["groupBy"], reading)
  const window = readGroupWindow(given, grouping.docs)
  const read = { grouping, counting: readGroupCounting(given), ...parseList(allowed), window }
  checkHydratedRecords(read.selection, maxGroupedRecords(read))
  return read
}

function parseList(allowed: AllowedRead): Omit<PageRead, "window"> {
  const { resource, given, reading } = allowed
  return {
    selection: parseSelection(resource, given.options, reading),
    predicate: requestedRows(allowed),
    order: parseOrder(resource, given.options["orderBy"], reading),
    visibility: reading.visibility,
  }
}

function parseCount(allowed: AllowedRead): CountRead {
  const { resource, given, reading } = allowed
  const { with: related, columns } = given.options
  if (related !== undefined || columns !== undefined) parseSelection(resource, given.options, reading)
  checkPageOptions(allowed)
  return { resource, predicate: requestedRows(allowed), most: readMax(given) }
}

function parseAggregate(allowed: AllowedRead): AggregateRead {
  const { resource, given, reading } = allowed
  const aggregation = parseAggregation(resource, given.options, reading)
  return { resource, predicate: requestedRows(allowed), aggregation, limit: readGroupLimit(given) }
}

// Checks the options of a page for a read whose result they cannot change.
function checkPageOptions({ resource, given, reading }: AllowedRead): void {
  const { orderBy } = given.options
  if (orderBy !== undefined) parseOrder(resource, orderBy, reading)
  readWindow(given)
  readTotal(given)
}

function parseGlobal(allowed: AllowedRead): RecordRead {
  const selection = parseRecordSelection(allowed)
  return { selection, predicate: both(byId(allowed.resource, GLOBAL_ROW_ID), allowed.readable) }
}

// Like every record of a page, the record must match the options `where` and `search`.
function parseRecord(allowed: AllowedRead, id: string | undefined): RecordRead | undefined {
  const selection = parseRecordSelection(allowed)
  checkPageOptions(allowed)
  const { resource, given, readable } = allowed
  const hasId = id === undefined ? NEVER : byId(resource, id)
  const predicate = requestedRows({ ...allowed, readable: both(hasId, readable) })
  if (id === undefined) return undefined
  const { where, search } = given.options
  const addressed = where === undefined && search === undefined ? { id, readable } : undefined
  return { selection, predicate, addressed }
}

/** Parses the options `with` and `columns` for one record. */
export function parseRecordSelection(read: Omit<AllowedRead, "ctx" | "readable">): Selection {
  return parseListSelection(read, 1)
}

/** Parses the options `with` and `columns` for a list of at most `limit` records. */
export function parseListSelection(
  { resource, given, reading }: Omit<AllowedRead, "ctx" | "readable">,
  limit: number,
): Selection {
  const selection = parseSelection(resource, given.options, reading)
  checkHydratedRecords(selection, limit)
  return selection
}

// Returns a predicate for the readable rows that match both the option `where` and the option `search`.
function requestedRows({ ctx, resource, given, readable, reading }: AllowedRead): Predicate {
  const { where } = given.options
  const filter = where === undefined ? ALWAYS : parseWhere(resource, where, reading)
  return guardedFilter(readable, both(filter, readSearch(ctx, { resource, given, reading }) ?? ALWAYS))
}

// Returns the maximum number of records in all groups of the page together.
function maxGroupedRecords({ grouping, window }: GroupRead): number {
  const { defaultGroupDocs, maxGroupedDocs } = QUERY_LIMITS
  return Math.min(window.limit * (grouping.docs ?? defaultGroupDocs), maxGroupedDocs)
}

// Throws if a read could return more related records than one response may have. The number that it could return is
// `records`, the number of requested records, multiplied by the limits of the nested relations.
function checkHydratedRecords(selection: Selection, records: number): void {
  const most = QUERY_LIMITS.maxHydratedRecords
  if (records * maxRelatedRecords(selection) <= most) return
  throw invalid("with", `A read may request at most ${most} related records. Lower a limit.`)
}
