import type { PageRange } from "../../sql/read/cursor-page.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type GivenCursors, readCursors, type UncheckedOptions } from "../context/read-options.ts"
import { type OrderedList, readCursor } from "./cursor.ts"

/** The range of a page, with the cursors that name it. */
export interface CursorRange extends PageRange {
  readonly given: GivenCursors
}

/** Returns the range of a list that the options `after` and `before` name. */
export async function planRange(
  ctx: OperationContext,
  list: OrderedList,
  options: UncheckedOptions,
): Promise<CursorRange> {
  const given = readCursors(options)
  const boundaryOf = (option: "after" | "before") => {
    const cursor = given[option]
    return typeof cursor === "string" ? readCursor(ctx, list, { option, cursor }) : undefined
  }
  return {
    given,
    after: await boundaryOf("after"),
    before: await boundaryOf("before"),
    isFromEnd: given.after === undefined,
  }
}
