import type { Boundary } from "../../sql/read/order-boundary.ts"
import type { CursorPage, PageCursors } from "../../wire/results/results.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { GivenCursors } from "../context/read-options.ts"
import { type OrderedList, writeCursor } from "./cursor.ts"

/** The facts about a page that was read by cursors. */
interface ReadRange {
  readonly limit: number
  /** True if the page has the last records of the range instead of the first ones. */
  readonly isFromEnd: boolean
  /** True if the range has more records than the page, on the side at which the page ends. */
  readonly hasMore: boolean
  /** True if the list has records on the other side of the page. */
  readonly hasOthers: boolean
}

type Position = Omit<CursorPage, "docs" | keyof PageCursors | "totalDocs" | "totalIs">

/** Returns the position of a page that was read by cursors. Its number is unknown. */
export function positionOfRange({ limit, isFromEnd, hasMore, hasOthers }: ReadRange): Position {
  return {
    limit,
    totalPages: -1,
    page: -1,
    pagingCounter: -1,
    hasPrevPage: isFromEnd ? hasMore : hasOthers,
    hasNextPage: isFromEnd ? hasOthers : hasMore,
    prevPage: null,
    nextPage: null,
  }
}

/** The sort values of the first and the last record of a page, and the cursors by which the page was read. */
interface PageEnds {
  readonly given: GivenCursors
  readonly first: Boundary["values"] | undefined
  readonly last: Boundary["values"] | undefined
}

/** Returns the cursors of a page. */
export async function cursorsOfPage(
  ctx: OperationContext,
  list: OrderedList,
  { given, first, last }: PageEnds,
): Promise<PageCursors> {
  if (first === undefined || last === undefined) return cursorsOfNothing(given)
  const [startCursor, endCursor] = await Promise.all([
    writeCursor(ctx, list, { side: "before", values: first }),
    writeCursor(ctx, list, { side: "after", values: last }),
  ])
  return { startCursor, endCursor }
}

/** Returns the cursors of an empty page: a position between two records, or the whole of an empty range. */
export function cursorsOfNothing({ after, before }: GivenCursors): PageCursors {
  return { startCursor: after ?? before ?? null, endCursor: before ?? after ?? null }
}
