import type { VirtualItem } from "@tanstack/react-virtual"
import { type CSSProperties, type RefObject, useMemo } from "react"
import type { FollowedWindow } from "../../../kit/list-window/use-list-window.tsx"
import type { Selection } from "../selection/selection.ts"
import { GridHead, type HeadActions } from "./grid-head.tsx"
import { GridRow, type RowContext, rowId, WaitingRow } from "./grid-row.tsx"
import { useRowHeight } from "./row-height.ts"
import { type Place, useCurrentRow } from "./use-current-row.ts"
import { useFocusOnArrival } from "./use-focus-on-arrival.ts"
import { useGoTo } from "./use-go-to.ts"
import { type GridActions, useGridKeys } from "./use-grid-keys.ts"
import { useKeptPlace } from "./use-kept-place.ts"
import { useReadOnScroll } from "./use-read-on-scroll.ts"
import { useVirtualRows } from "./use-virtual-rows.ts"

interface GridProps {
  readonly label: string
  readonly list: FollowedWindow
  /** The number of records in the list, as far as it is known. */
  readonly count: number | undefined
  /** True if `count` is the exact number. */
  readonly isCountExact: boolean
  readonly tracks: string
  /** The width in pixels below which the grid is scrolled sideways. */
  readonly leastWidth: number
  readonly context: RowContext
  readonly selection: Selection
  readonly head: HeadActions
  readonly actions: GridActions
  /** The row that a person comes back to. */
  readonly returnTo: Place | null
  readonly grid: RefObject<HTMLDivElement | null>
}

// The rows that are drawn as waiting behind the last one that was read.
const WAITING_ROWS = 12

/** The rows of a list. The focus stays on the grid, which names the row that it is on, so that it is never lost. */
export function Grid(props: GridProps) {
  const { label, list, count, isCountExact, tracks, leastWidth, context, selection, head, actions, returnTo, grid } =
    props
  const { state } = list
  const rowHeight = useRowHeight()
  const ids = useMemo(() => state.rows.map(({ id }) => id), [state.rows])
  const length = lengthOf(props, returnTo?.index ?? 0)
  const { currentIndex, currentId, setCurrent } = useCurrentRow({ ids, offset: state.offset, length, returnTo })
  const virtualizer = useVirtualRows({ grid, ids, offset: state.offset, length, rowHeight, currentIndex, returnTo })
  useFocusOnArrival(grid, returnTo !== null)
  useKeptPlace({ grid, ids, offset: state.offset, rowHeight })
  useReadOnScroll({ list, range: virtualizer.range, length, count })
  const goTo = useGoTo(
    (index) => {
      const next = Math.max(0, Math.min(index, length - 1))
      setCurrent({ id: ids[next - state.offset] ?? null, index: next })
      virtualizer.scrollToIndex(next, { align: "auto" })
    },
    { length, isLengthKnown: count !== undefined || state.isToEnd },
  )
  const onKeyDown = useGridKeys({
    ...{ ids, length, selection, actions, goTo },
    offset: state.offset,
    currentIndex,
    // Read when a key needs it: in a render, it would have the browser lay out the page before its time.
    pageRows: () => Math.max(1, Math.floor((grid.current?.clientHeight ?? 400) / rowHeight) - 2),
  })
  return (
    <div
      ref={grid}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={isCountExact && count !== undefined ? count + 1 : -1}
      aria-colcount={context.columns.length + 1}
      aria-multiselectable
      aria-busy={!state.isLoaded}
      aria-activedescendant={currentId === undefined ? undefined : rowId(currentId)}
      // Custom properties are no known members of a style.
      style={{ "--columns": tracks, "--least": `${leastWidth}px` } as CSSProperties}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const id = idAt(event.target)
        if (id === null) return
        setCurrent({ id, index: ids.indexOf(id) + state.offset })
        // A control in a row may go away with it, and would take the focus along.
        grid.current?.focus({ preventScroll: true })
        actions.onRowClick(id, event)
      }}
    >
      <GridHead {...head} columns={context.columns} />
      <div role="rowgroup" className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => drawnRow(item, { props, currentId }))}
      </div>
    </div>
  )
}

function drawnRow(
  { index, start }: VirtualItem,
  { props, currentId }: { props: GridProps; currentId: string | undefined },
) {
  const { list, context, selection } = props
  const record = list.state.rows[index - list.state.offset]
  if (record === undefined) return <WaitingRow key={-index - 1} top={start} place={index} />
  const isCurrent = record.id === currentId
  return (
    <GridRow
      key={record.id}
      {...{ context, record, isCurrent }}
      place={index}
      top={start}
      isSelected={selection.ids.has(record.id)}
    />
  )
}

/** Returns the number of rows to scroll through: those that were read, and as many as are known to follow. */
function lengthOf({ list: { state }, count, isCountExact }: GridProps, least: number): number {
  const read = state.offset + state.rows.length
  if (state.isLoaded && state.isToEnd) return read
  const known = count === undefined ? 0 : count - (isCountExact ? state.newCount : 0)
  // A list that starts again elsewhere keeps its length, so that the scrollbar stays where it is.
  return Math.max(read + WAITING_ROWS, known, count === undefined ? least + 1 : 0)
}

function idAt(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null
  return target.closest("[data-id]")?.getAttribute("data-id") ?? null
}
