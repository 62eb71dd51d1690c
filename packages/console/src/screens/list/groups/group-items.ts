import type { ConsoleRecord } from "../../../kit/resources.ts"
import type { RecordGroup } from "./grouping.ts"

/** A line of a grouped list. */
export type GroupItem =
  | { readonly kind: "head"; readonly id: string; readonly group: RecordGroup; readonly isOpen: boolean }
  | { readonly kind: "record"; readonly id: string; readonly group: RecordGroup; readonly record: ConsoleRecord }
  /** In the place of records that are not shown: all of them are in a list of their own, or they are being read. */
  | { readonly kind: "rest" | "waiting"; readonly id: string; readonly group: RecordGroup }
  /** The line that shows further groups. */
  | { readonly kind: "more"; readonly id: string }

const MORE_ID = "more-groups"

/** Returns the lines of a grouped list: a heading for each group, and below it the records of those that are unfolded. */
export function groupItems(
  groups: readonly RecordGroup[],
  { isOpen, hasMore }: { readonly isOpen: (group: RecordGroup) => boolean; readonly hasMore: boolean },
): readonly GroupItem[] {
  const items = groups.flatMap((group) => linesOf(group, isOpen(group)))
  return hasMore ? [...items, { kind: "more", id: MORE_ID }] : items
}

function linesOf(group: RecordGroup, isOpen: boolean): readonly GroupItem[] {
  // An id of an element has no spaces.
  const key = encodeURIComponent(group.key)
  const head: GroupItem = { kind: "head", id: `group-${key}`, group, isOpen }
  if (!isOpen) return [head]
  if (group.docs === undefined) return [head, { kind: "waiting", id: `waiting-${key}`, group }]
  const records = group.docs.map((record): GroupItem => ({ kind: "record", id: record.id, group, record }))
  const hasOthers = group.count > group.docs.length
  return [head, ...records, ...(hasOthers ? [{ kind: "rest", id: `rest-${key}`, group } as const] : [])]
}
