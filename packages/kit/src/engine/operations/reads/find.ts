import type { Resource } from "../../../schema/compile/resource.ts"
import { countedUpTo } from "../../../sql/read/page-total.ts"
import { type PageRead, selectMatching, selectPageAndNext, selectPageWithTotal } from "../../../sql/read/select.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { type Page, pageOf } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, answer, authoredAnswer, plainAnswer } from "../../read/answer.ts"
import {
  type CountRead,
  type PlannedPage,
  planCount,
  planGlobal,
  planPage,
  planRecord,
  type RecordRead,
  type RecordRequest,
} from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { answerRecord, hasReadHooks, runAfterRead } from "../../read/read-hooks.ts"
import { toRecords } from "../../read/records.ts"
import { withRevision } from "../../read/revision.ts"
import { isRange, readRange } from "./find-range.ts"
import { countRows, pageAndNext, totalOf } from "./page-total.ts"

/** Returns one page of the records that match the options and that the caller may read. */
export async function findRecords(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<Page<RecordData>>> {
  const read = await planPage(ctx, resource, given)
  return answerPage(ctx, read, await readPage(ctx, read))
}

/** Reads a planned page. */
export function readPage(ctx: OperationContext, read: PlannedPage): Promise<Page<RecordData>> {
  if (isRange(read)) return readRange(ctx, read)
  return read.total.kind === "exact" ? readPageWithTotal(ctx, read) : readPageAndNext(ctx, read)
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

/** Returns the record with this id, or undefined if the record does not exist or is hidden from the caller. */
export async function lookUpRecord(
  ctx: OperationContext,
  resource: Resource,
  asked: RecordRequest,
): Promise<Answer<RecordData> | undefined> {
  const plan = await planRecord(ctx, resource, asked)
  return plan && readPlannedRecord(ctx, plan)
}

/** Returns the record of the global, or null before its first write. */
export async function readGlobal(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<RecordData | null>> {
  return readPlannedGlobal(ctx, await planGlobal(ctx, resource, given))
}

/** Runs a planned read of a global. The `afterRead` hooks run with the context `hookCtx`. */
export async function readPlannedGlobal(
  ctx: OperationContext,
  read: RecordRead,
  hookCtx = ctx,
): Promise<Answer<RecordData | null>> {
  return (await readPlannedRecord(ctx, read, hookCtx)) ?? answer(null, read.selection)
}

/**
 * Runs a planned read of one record. Returns undefined if no row matches. The `afterRead` hooks run with the context
 * `hookCtx`.
 */
export async function readPlannedRecord(
  ctx: OperationContext,
  { selection, predicate }: RecordRead,
  hookCtx = ctx,
): Promise<Answer<RecordData> | undefined> {
  const readSelection = withRevision(selection)
  const { rows } = await readForAnswer(ctx, selectMatching(readSelection, predicate))
  return rows[0] && answerRecord(hookCtx, { selection, readSelection, operation: "get" }, rows[0])
}

export async function countRecords(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<{ count: number }>> {
  return readPlannedCount(ctx, await planCount(ctx, resource, given))
}

export async function readPlannedCount(ctx: OperationContext, read: CountRead): Promise<Answer<{ count: number }>> {
  return plainAnswer({ count: await countRows(ctx, read) })
}

async function readPageWithTotal(ctx: OperationContext, read: PageRead): Promise<Page<RecordData>> {
  const { rows } = await readForAnswer(ctx, selectPageWithTotal(read))
  const docs = await toRecords(read.selection, rows)
  const { window } = read
  // The last column is the total count, or null if the total follows from the number of rows on the page.
  const counted = rows[0]?.at(-1)
  const total = typeof counted === "number" ? counted : await totalOf(ctx, read, rows.length)
  return pageOf(docs, total, window)
}

async function readPageAndNext(ctx: OperationContext, read: PlannedPage): Promise<Page<RecordData>> {
  const { rows } = await readForAnswer(ctx, selectPageAndNext(read, countedUpTo(read.total)))
  const docs = await toRecords(read.selection, rows.slice(0, read.window.limit))
  return { ...(await pageAndNext(ctx, read, { found: rows.length, counted: rows[0]?.at(-1) })), docs }
}
