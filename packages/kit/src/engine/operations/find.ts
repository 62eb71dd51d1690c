import type { Resource } from "../../schema/compile/resource.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import { ALWAYS, both, type Predicate } from "../../sql/filter/predicate.ts"
import type { ParseContext } from "../../sql/parse/parse-context.ts"
import { parseOrder } from "../../sql/parse/parse-order.ts"
import { maxRelatedRecords, parseSelection } from "../../sql/parse/parse-selection.ts"
import { parseWhere } from "../../sql/parse/parse-where.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import {
  countMatching,
  type PageRead,
  selectMatching,
  selectPageAndNext,
  selectPageWithTotal,
} from "../../sql/read/select.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { type Page, pageOf, pageWithoutTotal } from "../../wire/results/results.ts"
import { readableRows } from "../access/readable-rows.ts"
import { inStage } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { checkOptions, readSearch, readTotal, readWindow, type UncheckedOptions } from "../context/read-options.ts"
import { type Answer, answer, authoredAnswer, plainAnswer } from "../read/answer.ts"
import { byId, canonicalId, recordNotFound, storedId } from "../read/by-id.ts"
import { readForAnswer } from "../read/read-for-answer.ts"
import { answerRecord, hasReadHooks, runAfterRead, runBeforeRead } from "../read/read-hooks.ts"
import { readingFor } from "../read/reading-for.ts"
import { toRecords } from "../read/records.ts"
import { withRevision } from "../read/revision.ts"

/** Returns one page of the records that match the options and that the caller may read. */
export async function findRecords(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<Page<RecordData>>> {
  const read = await planPage(ctx, resource, given)
  const page = readTotal(given) ? await readPageWithTotal(ctx, read) : await readPageAndNext(ctx, read)
  return answerPage(ctx, read, page)
}

/** Runs the `afterRead` hooks on the records of the page, and returns the page as the caller gets it. */
export async function answerPage(
  ctx: OperationContext,
  { selection }: PageRead,
  page: Page<RecordData>,
): Promise<Answer<Page<RecordData>>> {
  if (!hasReadHooks(selection)) return answer(page, selection, "docs.*.")
  const docs = await runAfterRead(ctx, { selection, operation: "find" }, page.docs)
  return authoredAnswer({ ...page, docs })
}

/**
 * Parses the options of a `find`, and checks them against the caller's rights. The returned read needs no further
 * checks.
 */
export async function planPage(outer: OperationContext, asked: Resource, given: UncheckedOptions): Promise<PageRead> {
  checkOptions(outer, "find", given)
  const { ctx, resource } = await inStage(outer, asked, given)
  const readable = await readableRows(ctx, resource, { given })
  await runBeforeRead(ctx, resource, { operation: "find" })
  const reading = await readingFor(ctx, resource, given)
  const read: PageRead = {
    selection: parseSelection(resource, given.options, reading),
    predicate: guardedFilter(readable, requestedRows(resource, given, reading)),
    order: parseOrder(resource, given.options["orderBy"], reading),
    window: readWindow(given),
    visibility: reading.visibility,
  }
  checkHydratedRecords(read.selection, read.window.limit)
  return read
}

/**
 * Throws if a read could return more related records than one response may have. The number that it could return is
 * `records`, the number of requested records, multiplied by the limits of the nested relations.
 */
export function checkHydratedRecords(selection: Selection, records: number): void {
  const most = QUERY_LIMITS.maxHydratedRecords
  if (records * maxRelatedRecords(selection) <= most) return
  throw invalid("with", `A read may request at most ${most} related records. Lower a limit.`)
}

/** Returns the record with this id. Throws NOT_FOUND if the record does not exist or is hidden from the caller. */
export async function findRecordById(
  ctx: OperationContext,
  resource: Resource,
  asked: RecordRequest,
): Promise<Answer<RecordData>> {
  const found = await lookUpRecord(ctx, resource, asked)
  if (found === undefined) throw recordNotFound(resource, asked.id)
  return found
}

export interface RecordRequest {
  readonly id: string
  readonly given: UncheckedOptions
}

/** Like `findRecordById`, but returns undefined if the record does not exist or is hidden from the caller. */
export async function lookUpRecord(
  ctx: OperationContext,
  resource: Resource,
  { id, given }: RecordRequest,
): Promise<Answer<RecordData> | undefined> {
  const plan = await planRecord(ctx, resource, { id, given })
  return plan && readPlannedRecord(ctx, plan)
}

/** A read of one record whose options have been parsed and checked. */
export interface RecordRead {
  readonly selection: Selection
  readonly predicate: Predicate
}

export async function readPlannedRecord(
  ctx: OperationContext,
  { selection, predicate }: RecordRead,
): Promise<Answer<RecordData> | undefined> {
  const readSelection = withRevision(selection)
  const { rows } = await readForAnswer(ctx, selectMatching(readSelection, predicate))
  return rows[0] && answerRecord(ctx, { selection, readSelection, operation: "get" }, rows[0])
}

/** Like `planPage`, but for a read of one record. Returns undefined if the id is malformed. */
export async function planRecord(
  outer: OperationContext,
  asked: Resource,
  { id, given }: RecordRequest,
): Promise<RecordRead | undefined> {
  checkOptions(outer, "record", given)
  const { ctx, resource } = await inStage(outer, asked, given)
  const idForRules = canonicalId(resource, id)
  const readable = await readableRows(ctx, resource, { given, id: idForRules })
  await runBeforeRead(ctx, resource, { operation: "get", id: idForRules })
  const reading = await readingFor(ctx, resource, given)
  const selection = parseSelection(resource, given.options, reading)
  checkHydratedRecords(selection, 1)
  const stored = storedId(resource, id)
  return stored === undefined ? undefined : { selection, predicate: both(byId(resource, stored), readable) }
}

export async function countRecords(
  outer: OperationContext,
  asked: Resource,
  given: UncheckedOptions,
): Promise<Answer<{ count: number }>> {
  checkOptions(outer, "count", given)
  const { ctx, resource } = await inStage(outer, asked, given)
  const readable = await readableRows(ctx, resource, { given })
  await runBeforeRead(ctx, resource, { operation: "count" })
  const reading = await readingFor(ctx, resource, given)
  const predicate = guardedFilter(readable, requestedRows(resource, given, reading))
  return plainAnswer({ count: await countRows(ctx, resource, predicate) })
}

/** Returns a predicate for the rows that match both the option `where` and the option `search`. */
export function requestedRows(resource: Resource, given: UncheckedOptions, reading: ParseContext): Predicate {
  const { where } = given.options
  const filter = where === undefined ? ALWAYS : parseWhere(resource, where, reading)
  return both(filter, readSearch(resource, given, reading) ?? ALWAYS)
}

export async function readPageWithTotal(ctx: OperationContext, read: PageRead): Promise<Page<RecordData>> {
  const { rows } = await readForAnswer(ctx, selectPageWithTotal(read))
  const docs = await toRecords(read.selection, rows)
  const { window } = read
  // The last column is the total count, or null if the total follows from the number of rows on the page.
  const counted = rows[0]?.at(-1)
  if (typeof counted === "number") return pageOf(docs, counted, window)
  const isPastTheEnd = rows.length === 0 && window.offset > 0
  const total = isPastTheEnd
    ? await countRows(ctx, read.selection.resource, read.predicate)
    : window.offset + rows.length
  return pageOf(docs, total, window)
}

async function readPageAndNext(ctx: OperationContext, read: PageRead): Promise<Page<RecordData>> {
  const { rows } = await readForAnswer(ctx, selectPageAndNext(read))
  return pageWithoutTotal(await toRecords(read.selection, rows), read.window)
}

export async function countRows(ctx: OperationContext, resource: Resource, predicate: Predicate): Promise<number> {
  const { rows } = await ctx.connection.query(countMatching(resource, predicate))
  return Number(rows[0]?.[0] ?? 0)
}
