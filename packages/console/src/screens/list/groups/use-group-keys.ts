import type { KeyboardEvent } from "react"
import { type GridActions, useGridKeys } from "../grid/use-grid-keys.ts"
import type { Selection } from "../selection/selection.ts"
import type { GroupItem } from "./group-items.ts"
import type { RecordGroup } from "./grouping.ts"

interface GroupKeys {
  readonly items: readonly GroupItem[]
  readonly currentIndex: number
  /** Returns the number of lines that Page Up and Page Down pass. */
  readonly pageRows: () => number
  readonly selection: Selection
  readonly actions: GridActions
  readonly goTo: (index: number) => void
  readonly setOpen: (group: RecordGroup, isOpen: boolean) => void
  /** Does what Enter and a press do on a line. */
  readonly act: (item: GroupItem) => void
}

/** Returns the keys of a grouped list: those of every list, and arrows that fold and unfold groups. */
export function useGroupKeys(keys: GroupKeys): (event: KeyboardEvent) => void {
  const { items, currentIndex, pageRows, selection, actions, goTo, act } = keys
  const itemOf = (id: string) => items.find((each) => each.id === id)
  const onListKey = useGridKeys({
    ids: items.map(({ id }) => id),
    offset: 0,
    length: items.length,
    currentIndex,
    pageRows,
    selection: selectionOfRecords(selection, items),
    actions: {
      ...actions,
      open: (id) => {
        const item = itemOf(id)
        if (item) act(item)
      },
    },
    goTo,
  })
  return (event) => {
    if (fold(event, keys)) event.preventDefault()
    else onListKey(event)
  }
}

/** Right unfolds a group, then goes into it; left goes to the heading, then folds the group. */
function fold({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, keys: GroupKeys): boolean {
  const { items, currentIndex, goTo, setOpen } = keys
  const item = items[currentIndex]
  if (altKey || ctrlKey || metaKey || item === undefined || item.kind === "more") return false
  if (key === "ArrowRight" && item.kind === "head") {
    if (item.isOpen) goTo(currentIndex + 1)
    else setOpen(item.group, true)
    return true
  }
  if (key === "ArrowLeft") {
    if (item.kind === "head") setOpen(item.group, false)
    else goTo(items.findLastIndex((each, place) => place < currentIndex && each.kind === "head"))
    return true
  }
  return false
}

/** Returns the selection for lines of which only some are records: a heading selects the records below it. */
function selectionOfRecords(selection: Selection, items: readonly GroupItem[]): Selection {
  const records = items.filter(({ kind }) => kind === "record").map(({ id }) => id)
  const below = (id: string) => {
    const head = items.find((each) => each.id === id)
    if (head?.kind !== "head") return []
    return items.flatMap((each) => (each.kind === "record" && each.group.key === head.group.key ? [each.id] : []))
  }
  return {
    ...selection,
    toggle: (id) => {
      if (records.includes(id)) selection.toggle(id)
      else for (const each of below(id)) selection.toggle(each)
    },
    extendTo: (id) => {
      if (records.includes(id)) selection.extendTo(id, records)
    },
    selectAll: () => selection.selectAll(records),
  }
}
