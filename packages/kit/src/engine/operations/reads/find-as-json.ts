import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { isPromise, whenReady } from "../../../schema/context/when-ready.ts"
import { countedUpTo } from "../../../sql/read/page-total.ts"
import { selectMatchingAsJson, selectPageAndNextAsJson, selectPageAsJson } from "../../../sql/read/select-json.ts"
import { type Page, pageOf } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, type JsonAnswer, jsonAnswer } from "../../read/answer.ts"
import { type PlannedPage, planPage, planRecord, type RecordRead, type RecordRequest } from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { hasReadHooks } from "../../read/read-hooks.ts"
import { recordNotShown } from "../../read/record-not-shown.ts"
import { selectRecord } from "../../read/select-record.ts"
import { answerPage, readPage, readPlannedRecord } from "./find.ts"
import { isRange } from "./find-range.ts"
import { listRecords } from "./list.ts"
import { pageAndNext, totalOf } from "./page-total.ts"

/**
 * Like `listRecords`, but returns JSON text if PostgreSQL can build the JSON. The rows then never become JavaScript
 * objects.
 */
export function listRecordsAsJson(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<JsonAnswer | Answer<unknown>> {
  if (!ctx.hasShortcuts || given.options["groupBy"] !== undefined) return listRecords(ctx, resource, given)
  return Promise.resolve(whenReady(planPage(ctx, resource, given), (read) => readPageAsJson(ctx, read)))
}

/**
 * Reads a planned page. Returns JSON text if PostgreSQL can build the JSON, and otherwise objects.
 * The `afterRead` hooks run with the context `hookCtx`.
 */
export async function readPageAsJson(
  ctx: OperationContext,
  read: PlannedPage,
  hookCtx = ctx,
): Promise<JsonAnswer | Answer<unknown>> {
  const canBeJson = ctx.hasShortcuts && !isRange(read) && !hasReadHooks(read.selection)
  const statement = canBeJson ? selectAsJson(read) : undefined
  if (statement === undefined) return answerPage(hookCtx, read, await readPage(ctx, read))
  const { rows } = await readForAnswer(ctx, statement)
  const [docs, count, counted] = rows[0] ?? ["[]", 0, null]
  const found = Number(count)
  if (read.total.kind !== "exact") {
    return jsonPage(String(docs), read, await pageAndNext(ctx, read, { found, counted }))
  }
  const total = typeof counted === "number" ? counted : await totalOf(ctx, read, found)
  return jsonPage(String(docs), read, pageOf([], total, read.window))
}

function selectAsJson(read: PlannedPage): Statement | undefined {
  return read.total.kind === "exact" ? selectPageAsJson(read) : selectPageAndNextAsJson(read, countedUpTo(read.total))
}

/**
 * Returns the record with this id, as JSON text if PostgreSQL can build the JSON. Throws NOT_FOUND if the record does not
 * exist or is hidden from the caller.
 */
export async function findRecordAsJson(
  ctx: OperationContext,
  resource: Resource,
  asked: RecordRequest,
): Promise<JsonAnswer | Answer<unknown>> {
  const planning = planRecord(ctx, resource, asked)
  const plan = isPromise(planning) ? await planning : planning
  const found = plan && (await readRecordAsJson(ctx, plan))
  if (found === undefined) throw await recordNotShown(ctx, resource, asked)
  return found
}

/**
 * Runs a planned read of one record. Returns JSON text if PostgreSQL can build the JSON, otherwise an object, and
 * undefined if no row matches. The `afterRead` hooks run with the context `hookCtx`.
 */
export async function readRecordAsJson(
  ctx: OperationContext,
  plan: RecordRead,
  hookCtx = ctx,
): Promise<JsonAnswer | Answer<unknown> | undefined> {
  // The revision goes into a response header, so a record with a revision is read as an object.
  const isPlain = plan.selection.resource.revision === undefined && !hasReadHooks(plan.selection)
  const statement = ctx.hasShortcuts && isPlain ? selectMatchingAsJson(plan.selection, plan.predicate) : undefined
  if (statement === undefined) return readPlannedRecord(ctx, plan, hookCtx)
  const { rows } = await selectRecord(ctx, plan, statement)
  return rows[0] && jsonAnswer(String(rows[0][0]), plan.selection)
}

const EMPTY_DOCS = '{"docs":[]'

function jsonPage(docs: string, { selection }: PlannedPage, position: Page<never>): JsonAnswer {
  const json = `{"docs":${docs}${JSON.stringify(position).slice(EMPTY_DOCS.length)}`
  return jsonAnswer(json, selection, "docs.*.")
}
