import type { Resource } from "../../../schema/compile/resource.ts"
import { isPromise, whenReady } from "../../../schema/context/when-ready.ts"
import type { PageRead } from "../../../sql/read/select.ts"
import { selectMatchingAsJson, selectPageAsJson } from "../../../sql/read/select-json.ts"
import { pageOf } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { readTotal, type UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, type JsonAnswer, jsonAnswer } from "../../read/answer.ts"
import { planPage, planRecord, type RecordRead, type RecordRequest } from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { hasReadHooks } from "../../read/read-hooks.ts"
import { recordNotShown } from "../../read/record-not-shown.ts"
import { selectRecord } from "../../read/select-record.ts"
import { answerPage, readPageWithTotal, readPlannedRecord, totalOf } from "./find.ts"
import { listRecords } from "./list.ts"

/**
 * Like `listRecords`, but returns JSON text if PostgreSQL can build the JSON. The rows then never become JavaScript
 * objects.
 */
export function listRecordsAsJson(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<JsonAnswer | Answer<unknown>> {
  const isPlainPage = given.options["groupBy"] === undefined && readTotal(given)
  if (!ctx.hasShortcuts || !isPlainPage) return listRecords(ctx, resource, given)
  return Promise.resolve(whenReady(planPage(ctx, resource, given), (read) => readPageAsJson(ctx, read)))
}

/**
 * Reads a planned page with its total count. Returns JSON text if PostgreSQL can build the JSON, and otherwise objects.
 * The `afterRead` hooks run with the context `hookCtx`.
 */
export async function readPageAsJson(
  ctx: OperationContext,
  read: PageRead,
  hookCtx = ctx,
): Promise<JsonAnswer | Answer<unknown>> {
  const canBeJson = ctx.hasShortcuts && !hasReadHooks(read.selection)
  const statement = canBeJson ? selectPageAsJson(read) : undefined
  if (statement === undefined) return answerPage(hookCtx, read, await readPageWithTotal(ctx, read))
  const { rows } = await readForAnswer(ctx, statement)
  const [docs, count, counted] = rows[0] ?? ["[]", 0, null]
  const total = typeof counted === "number" ? counted : await totalOf(ctx, read, Number(count))
  return jsonAnswer(pageText(String(docs), total, read), read.selection, "docs.*.")
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

function pageText(docs: string, total: number, { window }: PageRead): string {
  const page = JSON.stringify(pageOf([], total, window))
  return `{"docs":${docs}${page.slice(EMPTY_DOCS.length)}`
}
