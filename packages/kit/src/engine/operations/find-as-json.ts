import type { Resource } from "../../schema/resource.ts"
import type { PageRead } from "../../sql/select.ts"
import { selectMatchingAsJson, selectPageAsJson } from "../../sql/select-json.ts"
import { pageOf } from "../../wire/results.ts"
import { type Answer, answer, type JsonAnswer, jsonAnswer } from "../answer.ts"
import { recordNotFound } from "../by-id.ts"
import type { OperationContext } from "../operation-context.ts"
import { type GivenOptions, readTotal } from "../read-options.ts"
import { type AskedRecord, countRows, findRecordById, planPage, planRecord, readPageWithTotal } from "./find.ts"
import { listRecords } from "./list.ts"

/** As `listRecords`, for callers who want text: where it can, Postgres writes it, and the rows never become objects. */
export async function listRecordsAsJson(
  ctx: OperationContext,
  resource: Resource,
  given: GivenOptions,
): Promise<JsonAnswer | Answer<unknown>> {
  const isPlainPage = given.options["groupBy"] === undefined && readTotal(given)
  if (!ctx.hasShortcuts || !isPlainPage) return listRecords(ctx, resource, given)
  const read = await planPage(ctx, resource, given)
  const statement = selectPageAsJson(read)
  if (statement === undefined) return answer(await readPageWithTotal(ctx, read), read.selection, "docs.*.")
  const { rows } = await ctx.connection.query(statement)
  const [docs, count, counted] = rows[0] ?? ["[]", 0, null]
  const total = typeof counted === "number" ? counted : await totalOf(ctx, read, Number(count))
  return jsonAnswer(pageText(String(docs), total, read), read.selection, "docs.*.")
}

/** As `findRecordById`, for callers who want text. */
export async function findRecordAsJson(
  ctx: OperationContext,
  resource: Resource,
  asked: AskedRecord,
): Promise<JsonAnswer | Answer<unknown>> {
  if (!ctx.hasShortcuts) return findRecordById(ctx, resource, asked)
  const plan = await planRecord(ctx, resource, asked)
  if (plan === undefined) throw recordNotFound(resource, asked.id)
  const statement = selectMatchingAsJson(plan.selection, plan.predicate)
  if (statement === undefined) return findRecordById(ctx, resource, asked)
  const { rows } = await ctx.connection.query(statement)
  if (rows[0] === undefined) throw recordNotFound(resource, asked.id)
  return jsonAnswer(String(rows[0][0]), plan.selection)
}

// A page that is not full tells the total itself, unless it lies past the end.
function totalOf(ctx: OperationContext, read: PageRead, count: number): number | Promise<number> {
  const isPastTheEnd = count === 0 && read.window.offset > 0
  return isPastTheEnd ? countRows(ctx, read.selection.resource, read.predicate) : read.window.offset + count
}

const EMPTY_DOCS = '{"docs":[]'

function pageText(docs: string, total: number, { window }: PageRead): string {
  const page = JSON.stringify(pageOf([], total, window))
  return `{"docs":${docs}${page.slice(EMPTY_DOCS.length)}`
}
