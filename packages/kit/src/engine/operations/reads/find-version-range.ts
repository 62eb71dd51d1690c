import type { Selection } from "../../../sql/parse/selection.ts"
import { selectVersionRange, type VersionRange, versionOrder } from "../../../sql/versions/version-range.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { CursorPage } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type GivenCursors, isByCursor, type UncheckedOptions } from "../../context/read-options.ts"
import type { OrderedList } from "../../cursors/cursor.ts"
import { cursorsOfNothing, cursorsOfPage, positionOfRange } from "../../cursors/page-position.ts"
import { type CursorRange, planRange } from "../../cursors/plan-range.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { toRecords } from "../../read/records.ts"

/** A list of versions of one record. */
type VersionList = OrderedList & { readonly versionsOf: string }

/** Returns the range of versions that the options name; undefined if the versions are not read by cursors. */
export function planVersionRange(
  ctx: OperationContext,
  record: Pick<VersionList, "selection" | "versionsOf">,
  given: UncheckedOptions,
): Promise<CursorRange> | undefined {
  return isByCursor(given) ? planRange(ctx, listOf(record), given) : undefined
}

function listOf(record: Pick<VersionList, "selection" | "versionsOf">): VersionList {
  return { ...record, order: versionOrder(record.selection.resource) }
}

interface PlannedVersionRange extends VersionRange {
  readonly range: CursorRange
}

/** Reads one page of the versions of a record by cursors. */
export async function readVersionRange(
  ctx: OperationContext,
  selection: Selection,
  read: PlannedVersionRange,
): Promise<CursorPage<RecordData>> {
  const { id, limit, range } = read
  const { rows } = await readForAnswer(ctx, selectVersionRange(selection, read))
  const [hasOthers, totalDocs, found] = rows[0]?.slice(-FACTS) ?? []
  const docs = await toRecords(selection, shownRows(read, rows.slice(0, Number(found))))
  const [first, last] = [sortValue(docs[0]), sortValue(docs.at(-1))]
  const cursors = await cursorsOfPage(ctx, listOf({ selection, versionsOf: id }), { given: range.given, first, last })
  const facts = { limit, isFromEnd: range.isFromEnd, hasMore: Number(found) > limit, hasOthers: hasOthers === true }
  return { docs, totalDocs: Number(totalDocs), ...positionOfRange(facts), ...cursors }
}

const FACTS = 3

type Row = readonly unknown[]

// Returns the rows of the page without the one that shows that there are more. The newest version is always first.
function shownRows({ limit, range }: PlannedVersionRange, rows: readonly Row[]): readonly Row[] {
  return range.isFromEnd ? rows.slice(-limit) : rows.slice(0, limit)
}

function sortValue(version: RecordData | undefined): readonly string[] | undefined {
  return version && [String(version["versionNumber"])]
}

/** Returns the page of a list that has no versions. */
export function emptyVersionPage(limit: number, given: GivenCursors): CursorPage<RecordData> {
  const position = positionOfRange({ limit, isFromEnd: false, hasMore: false, hasOthers: false })
  return { docs: [], totalDocs: 0, ...position, ...cursorsOfNothing(given) }
}
