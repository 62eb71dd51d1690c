import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual"
import type { CollectionSchema } from "kit/client"
import { type CSSProperties, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react"
import { useLocation } from "wouter"
import { useFirstScreenShown } from "../../../kit/first-screen.ts"
import { Failure } from "../../../parts/notice.tsx"
import { useReportedStaleness } from "../../../shell/connection.ts"
import { useWords } from "../../../words/words.ts"
import { GridHead, type HeadActions } from "../grid/grid-head.tsx"
import { GridRow, type RowContext, rowId } from "../grid/grid-row.tsx"
import { useRowHeight } from "../grid/row-height.ts"
import { type Place, useCurrentRow } from "../grid/use-current-row.ts"
import { useFocusOnArrival } from "../grid/use-focus-on-arrival.ts"
import type { GridActions } from "../grid/use-grid-keys.ts"
import type { ListFilter, ListOptions } from "../list-options.ts"
import type { Selection } from "../selection/selection.ts"
import { type GroupItem, groupItems } from "./group-items.ts"
import { GroupLine } from "./group-line.tsx"
import { GROUP_STEP, MOST_GROUPS } from "./group-options.ts"
import type { Grouping, RecordGroup } from "./grouping.ts"
import { useFolds } from "./kept-folds.ts"
import { useGroupKeys } from "./use-group-keys.ts"
import { useGroups } from "./use-groups.tsx"

interface GroupedListProps {
  readonly schema: CollectionSchema
  readonly grouping: Grouping
  readonly options: ListOptions
  readonly filterOfGroup: (group: RecordGroup) => ListFilter
  readonly hrefOf: (group: RecordGroup) => string
  readonly tracks: string
  readonly leastWidth: number
  readonly context: RowContext
  readonly selection: Selection
  readonly head: HeadActions
  readonly actions: GridActions
  /** Holds the records that are shown, for the one that is opened. */
  readonly grouped: RefObject<readonly string[] | null>
  readonly returnTo: Place | null
  readonly grid: RefObject<HTMLDivElement | null>
  readonly onLive: (isLive: boolean) => void
  /** Shown in the place of groups if there are none. */
  readonly notice: ReactNode
}

// So many months are unfolded before the person folds any: each of them is a read of its own.
const MONTHS_OPEN_AT_FIRST = 12

/** The records of a list in groups, as a tree of two levels: headings, and below each its first records. */
export function GroupedList(props: GroupedListProps) {
  const { schema, grouping, options, filterOfGroup, notice, onLive } = props
  const words = useWords("list")
  const [limit, setLimit] = useState(GROUP_STEP)
  const [firstMonths, setFirstMonths] = useState<readonly string[]>([])
  const isOpenAtFirst = (group: RecordGroup) => grouping.by === "value" || firstMonths.includes(group.key)
  const { isOpen, setOpen } = useFolds({ collection: schema.name, field: grouping.field.name }, isOpenAtFirst)
  const read = useGroups({ schema, grouping, options, limit, isOpen, filterOfGroup })
  const { groups, isLoaded, isLive, error } = read
  const firstKeys = groups.slice(0, MONTHS_OPEN_AT_FIRST).map(({ key }) => key)
  if (grouping.by === "month" && firstMonths.length === 0 && firstKeys.length > 0) setFirstMonths(firstKeys)
  useReportedStaleness(read.isStale)
  useFirstScreenShown(isLoaded || error !== undefined)
  useEffect(() => {
    onLive(isLive)
    return () => onLive(false)
  }, [onLive, isLive])
  if (error && !isLoaded) return <Failure title={words.failed} error={error} />
  if (isLoaded && groups.length === 0) return notice
  const items = groupItems(groups, { isOpen, hasMore: read.hasMore && limit < MOST_GROUPS })
  return (
    <>
      {read.followers}
      <GroupGrid
        {...props}
        items={items}
        isLoaded={isLoaded}
        setOpen={setOpen}
        showMore={() => setLimit((former) => Math.min(former * 2, MOST_GROUPS))}
      />
    </>
  )
}

interface GroupGridProps extends GroupedListProps {
  readonly items: readonly GroupItem[]
  readonly isLoaded: boolean
  readonly setOpen: (group: RecordGroup, isOpen: boolean) => void
  readonly showMore: () => void
}

/** The lines of the groups. The focus stays on the grid, which names the line that it is on. */
function GroupGrid(props: GroupGridProps) {
  const { schema, grouping, tracks, leastWidth, context, selection, head, actions, returnTo, grid } = props
  const { items, isLoaded, setOpen } = props
  const words = useWords("list")
  const ids = items.map(({ id }) => id)
  const { currentIndex, currentId, setCurrent } = useCurrentRow({ ids, offset: 0, length: items.length, returnTo })
  const virtualizer = useLines({ items, grid, currentIndex, returnTo })
  useFocusOnArrival(grid, returnTo !== null)
  useShownRecords(props)
  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(index, items.length - 1))
    setCurrent({ id: ids[next] ?? null, index: next })
    virtualizer.scrollToIndex(next, { align: "auto" })
  }
  const act = useAct(props)
  const onKeyDown = useGroupKeys({
    ...{ items, currentIndex, selection, actions, goTo, setOpen, act },
    pageRows: () => Math.max(1, Math.floor((grid.current?.clientHeight ?? 400) / HEADING_HEIGHT) - 2),
  })
  const onClick = (event: MouseEvent) => {
    const index = ids.indexOf(lineAt(event.target))
    const item = items[index]
    if (item === undefined) return
    setCurrent({ id: item.id, index })
    grid.current?.focus({ preventScroll: true })
    if (item.kind !== "record") {
      if (!isOnLink(event.target)) act(item)
    } else if (event.shiftKey) selection.extendTo(item.id, recordIds(items))
    else actions.onRowClick(item.id, event)
  }
  return (
    <div
      ref={grid}
      className="grid"
      role="treegrid"
      tabIndex={0}
      aria-label={words.groups.label(schema.label, grouping.field.label)}
      aria-rowcount={-1}
      aria-colcount={context.columns.length + 1}
      aria-multiselectable
      aria-busy={!isLoaded}
      aria-activedescendant={currentId === undefined ? undefined : rowId(currentId)}
      // Custom properties are no known members of a style.
      style={{ "--columns": tracks, "--least": `${leastWidth}px` } as CSSProperties}
      {...{ onKeyDown, onClick }}
    >
      <GridHead {...head} columns={context.columns} />
      <div role="rowgroup" className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((line) => drawnLine(line, props, currentId))}
      </div>
    </div>
  )
}

function drawnLine({ index, start, size }: VirtualItem, props: GroupGridProps, currentId: string | undefined) {
  const { items, grouping, hrefOf, context, selection } = props
  const item = items[index]
  if (item === undefined) return null
  const shared = { place: index, top: start, isCurrent: item.id === currentId }
  if (item.kind === "record") {
    const isSelected = selection.ids.has(item.id)
    return <GridRow key={item.id} {...shared} {...{ context, isSelected }} record={item.record} level={2} />
  }
  const groupContext = { grouping, way: context.way, colSpan: context.columns.length + 1, hrefOf }
  return <GroupLine key={item.id} {...shared} item={item} context={groupContext} height={size} />
}

/** Returns what Enter and a press do on a line. */
function useAct({ actions, setOpen, showMore, hrefOf }: GroupGridProps): (item: GroupItem) => void {
  const [, navigate] = useLocation()
  return (item) => {
    switch (item.kind) {
      case "head":
        return setOpen(item.group, !item.isOpen)
      case "record":
        return actions.open(item.id)
      case "rest":
        return navigate(hrefOf(item.group))
      case "more":
        return showMore()
      case "waiting":
        return undefined
      default:
        return item satisfies never
    }
  }
}

/** Holds the records that are shown, so that one that is opened knows those beside it. */
function useShownRecords({ items, grouped }: GroupGridProps): void {
  useEffect(() => {
    grouped.current = recordIds(items)
  }, [items, grouped])
  useEffect(() => {
    return () => {
      grouped.current = null
    }
  }, [grouped])
}

function lineAt(target: EventTarget): string {
  const line = target instanceof Element ? target.closest<HTMLElement>("[data-id]") : null
  return line?.dataset["id"] ?? ""
}

function isOnLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a") !== null
}

interface Lines extends Pick<GroupGridProps, "items" | "grid" | "returnTo"> {
  readonly currentIndex: number
}

const HEAD_HEIGHT = 32
const HEADING_HEIGHT = 44
const OVERSCAN = 8

/** Says which lines are drawn: those in view, and the one on which the person is. */
function useLines({ items, grid, currentIndex, returnTo }: Lines) {
  const rowHeight = useRowHeight()
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: items.length,
    getScrollElement: () => grid.current,
    estimateSize: (index) => (items[index]?.kind === "record" ? rowHeight : Math.min(rowHeight, HEADING_HEIGHT)),
    overscan: OVERSCAN,
    scrollPaddingStart: HEAD_HEIGHT,
    getItemKey: (index) => items[index]?.id ?? index,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      if (drawn.includes(currentIndex) || currentIndex < 0) return drawn
      return [...drawn, currentIndex].sort((one, other) => one - other)
    },
  })
  const returnIndex = items.findIndex(({ id }) => id === returnTo?.id)
  const isBack = useRef(false)
  useEffect(() => {
    // A person comes back to the line from which they went once; then the lines are theirs to scroll.
    if (returnIndex < 0 || isBack.current) return
    isBack.current = true
    virtualizer.scrollToIndex(returnIndex, { align: "center" })
  }, [virtualizer, returnIndex])
  return virtualizer
}

function recordIds(items: readonly GroupItem[]): readonly string[] {
  return items.filter(({ kind }) => kind === "record").map(({ id }) => id)
}
