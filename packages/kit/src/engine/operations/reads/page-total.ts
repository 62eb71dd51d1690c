import { countedUpTo, explainMatching } from "../../../sql/read/page-total.ts"
import { countMatching, type PageRead } from "../../../sql/read/select.ts"
import { type Page, pageOf, pageWithoutTotal, type TotalIs } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { CountRead, PlannedPage } from "../../read/plan-read.ts"

/** Counts the rows of a planned count. */
export async function countRows(ctx: OperationContext, { resource, predicate, most }: CountRead): Promise<number> {
  const { rows } = await ctx.connection.query(countMatching(resource, predicate, most))
  return Number(rows[0]?.[0] ?? 0)
}

/**
 * Returns the total number of matching records for a page that has `count` records and is not full. Such a page ends
 * with the last matching record, so its offset plus `count` is the total. Only an empty page past the last record needs
 * a query.
 */
export function totalOf(ctx: OperationContext, read: PageRead, count: number): number | Promise<number> {
  const isPastTheEnd = count === 0 && read.window.offset > 0
  if (!isPastTheEnd) return read.window.offset + count
  return countRows(ctx, { resource: read.selection.resource, predicate: read.predicate })
}

/** The result of a statement that selects a page and one more record. */
interface FoundRows {
  /** The number of records, which is greater than the limit of the page if another page follows. */
  readonly found: number
  /** The number of records on all pages, if the statement has counted them. */
  readonly counted: unknown
}

/** Returns the position of a page whose total is not counted exactly. Its records are missing in `docs`. */
export async function pageAndNext(ctx: OperationContext, read: PlannedPage, rows: FoundRows): Promise<Page<never>> {
  const { window, total } = read
  if (total.kind === "none") return pageWithoutTotal([], { window, hasNextPage: rows.found > window.limit })
  const { number, totalIs } = await totalOfRows(ctx, read, rows)
  return { ...pageOf([], number, window), totalIs }
}

/** The total of a list that is read by cursors. */
interface ListTotal {
  readonly totalDocs: number
  readonly totalIs?: TotalIs
}

/** Returns the total of a list of which a statement has counted all records, or as many as its total needs. */
export async function totalOfList(
  ctx: OperationContext,
  read: Pick<PlannedPage, "selection" | "predicate" | "total">,
  counted: unknown,
): Promise<ListTotal> {
  const { kind } = read.total
  if (kind === "none") return { totalDocs: -1 }
  const number = Number(counted)
  if (kind === "exact") return { totalDocs: number }
  const max = countedUpTo(read.total) ?? 0
  if (number <= max) return { totalDocs: number, totalIs: "exact" }
  if (kind === "atMost") return { totalDocs: max, totalIs: "atLeast" }
  return { totalDocs: Math.max(await estimateRows(ctx, read), max), totalIs: "estimate" }
}

interface Total {
  readonly number: number
  readonly totalIs: TotalIs
}

async function totalOfRows(ctx: OperationContext, read: PlannedPage, { found, counted }: FoundRows): Promise<Total> {
  const { limit, offset } = read.window
  const hasNextPage = found > limit
  const isPastTheEnd = found === 0 && offset > 0
  if (!hasNextPage && !isPastTheEnd) return { number: offset + found, totalIs: "exact" }
  const number = typeof counted === "number" ? counted : await countSomeRows(ctx, read)
  const max = countedUpTo(read.total) ?? 0
  if (number <= max) return { number, totalIs: "exact" }
  const least = hasNextPage ? Math.max(max, offset + found) : max
  if (read.total.kind === "atMost") return { number: least, totalIs: "atLeast" }
  const estimate = Math.max(await estimateRows(ctx, read), least)
  return { number: isPastTheEnd ? Math.min(estimate, offset) : estimate, totalIs: "estimate" }
}

function countSomeRows(ctx: OperationContext, { selection, predicate, total }: PlannedPage): Promise<number> {
  return countRows(ctx, { resource: selection.resource, predicate, most: (countedUpTo(total) ?? 0) + 1 })
}

// The number of significant digits of an estimate. The planner extrapolates from the size of the table, which depends a
// little on values that are hidden from the caller.
const ESTIMATED_DIGITS = 2

async function estimateRows(
  ctx: OperationContext,
  { selection, predicate }: Pick<PlannedPage, "selection" | "predicate">,
): Promise<number> {
  const { rows } = await ctx.connection.query(explainMatching({ resource: selection.resource, predicate }))
  return Number(plannedRows(rows[0]?.[0]).toPrecision(ESTIMATED_DIGITS))
}

function plannedRows(explained: unknown): number {
  // The cast is safe: this is the form in which Postgres explains a statement.
  const plans = (typeof explained === "string" ? JSON.parse(explained) : explained) as readonly ExplainedPlan[]
  return plans[0]?.Plan["Plan Rows"] ?? 0
}

interface ExplainedPlan {
  readonly Plan: { readonly "Plan Rows": number }
}
