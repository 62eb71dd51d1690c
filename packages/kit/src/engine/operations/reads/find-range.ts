import { type RangeRead, selectRange } from "../../../sql/read/cursor-page.ts"
import type { Boundary } from "../../../sql/read/order-boundary.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { CursorPage } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { cursorsOfPage, positionOfRange } from "../../cursors/page-position.ts"
import type { CursorRange } from "../../cursors/plan-range.ts"
import type { PlannedPage } from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { toRecords } from "../../read/records.ts"
import { totalOfList } from "./page-total.ts"

/** A planned page that is read by cursors. */
interface PlannedRange extends RangeRead {
  readonly range: CursorRange
}

/** True if the page is read by cursors. */
export function isRange(read: PlannedPage): read is PlannedRange {
  return read.range !== undefined
}

/** Reads one page of a list by cursors. */
export async function readRange(ctx: OperationContext, read: PlannedRange): Promise<CursorPage<RecordData>> {
  const { rows } = await readForAnswer(ctx, selectRange(read))
  const { found, counted, hasOthers } = factsOf(rows)
  const shown = shownRows(read, rows.slice(0, found))
  const [docs, cursors, total] = await Promise.all([
    toRecords(read.selection, shown),
    cursorsOfPage(ctx, read, endsOf(read, shown)),
    totalOfList(ctx, read, counted),
  ])
  const { limit } = read.window
  const position = positionOfRange({ limit, isFromEnd: read.range.isFromEnd, hasMore: found > limit, hasOthers })
  return { docs, ...total, ...position, ...cursors }
}

type Row = readonly unknown[]

/** The last columns of each row, which are about the whole list. */
interface RangeFacts {
  readonly found: number
  readonly counted: unknown
  readonly hasOthers: boolean
}

function factsOf(rows: readonly Row[]): RangeFacts {
  const [hasOthers, counted, found] = rows[0]?.slice(-FACTS) ?? []
  return { hasOthers: hasOthers === true, counted, found: Number(found) }
}

const FACTS = 3

// Returns the rows of the page in the requested order, without the one that shows that there are more.
function shownRows({ window, range }: PlannedRange, rows: readonly Row[]): readonly Row[] {
  const shown = rows.slice(0, window.limit)
  return range.isFromEnd ? shown.reverse() : shown
}

function endsOf({ order, range }: PlannedRange, shown: readonly Row[]) {
  // The cast is safe: these columns are the sort keys as text.
  const sortValues = (row: Row | undefined) =>
    row?.slice(-FACTS - order.length, -FACTS) as Boundary["values"] | undefined
  return { given: range.given, first: sortValues(shown[0]), last: sortValues(shown.at(-1)) }
}
