import type { CollectionSchema } from "kit/client"
import { type MouseEvent, type RefObject, useMemo, useRef, useState } from "react"
import { useLocation } from "wouter"
import { wayOf } from "../../fields/stage/way.ts"
import { openLayer } from "../../keys/layers.ts"
import { useScreenKeys } from "../../keys/screen-keys.ts"
import { keepListOrder } from "../../kit/list-order.ts"
import type { ConsoleRecord } from "../../kit/resources.ts"
import { listPath, newRecordPath, recordPath } from "../../routes.ts"
import { coverOf } from "./columns.ts"
import { FilterBar } from "./filter/filter-bar.tsx"
import type { RowContext } from "./grid/grid-row.tsx"
import { groupingOf } from "./groups/grouping.ts"
import { useColumnChoice, useColumns } from "./kept-columns.ts"
import { ListBar } from "./list-bar.tsx"
import { ListBody } from "./list-body.tsx"
import { ListFooter } from "./list-footer.tsx"
import { ListNotice } from "./list-notice.tsx"
import { canBeSearched, orderOf } from "./list-options.ts"
import { ListPlace } from "./list-place.ts"
import { type ListState, listQuery } from "./list-state.ts"
import { useCompleteness, useListSchema } from "./locales/use-list-schema.ts"
import { NewRows } from "./new-rows.tsx"
import { useSelection } from "./selection/selection.ts"
import { SelectionBar } from "./selection/selection-bar.tsx"
import { useSelectAll } from "./selection/use-select-all.ts"
import { useSelectionActions } from "./selection/use-selection-actions.tsx"
import { type List, useList } from "./use-list.ts"
import { useListState } from "./use-list-state.ts"
import { ViewTabs } from "./view-tabs.tsx"

/** The sheet of a list, as soon as the description of its collection is known. */
export function ListSheet({ schema: whole }: { readonly schema: CollectionSchema }) {
  const collection = whole.name
  const [, navigate] = useLocation()
  const [state, change] = useListState(collection)
  const schema = useListSchema(whole, state)
  const [choice, choose] = useColumnChoice(collection)
  const columns = useColumns(schema, choice, state.view)
  const grouping = useMemo(() => groupingOf(schema, state.group), [schema, state.group])
  const list = useList({ collection, schema, columns, state, isGrouped: grouping !== null })
  const { selection, isReading } = useSelectAll(collection, list.options, useSelection())
  const grid = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [isFiltering, setFiltering] = useState(false)
  const [isLive, setLive] = useState(false)
  const place = useMemo(() => new ListPlace(collection, state), [collection, state])
  const actions = useSelectionActions({ schema, state, selection, list, grid })
  const { rows } = list.followed.state
  const grouped = useRef<readonly string[] | null>(null)
  const open = useOpenRecord({ collection, state, list, place, grouped })
  const { create, upload } = schema.access.operations
  const mayCreate = ((schema.options.upload && upload) ?? create ?? false) !== false && !state.isTrash
  const completeness = useCompleteness(schema, state)
  const context = useRowContext({ schema, columns, completeness, onToggle: selection.toggle, onOpen: open })
  const focusSearch = () => search.current?.focus()
  useScreenKeys({
    kind: "list",
    mayCreate,
    isGrouped: grouping !== null,
    search: canBeSearched(schema) ? focusSearch : undefined,
  })
  const gridActions = {
    open,
    create: mayCreate ? () => navigate(newRecordPath(collection)) : null,
    filter: () => setFiltering(true),
    search: focusSearch,
    showKeys: () => openLayer("keys"),
    nextView: (step: 1 | -1) => change({ view: nextView(schema, state.view, step), isTrash: false }),
    remove: actions.remove,
    onRowClick: (id: string, event: MouseEvent) => {
      if (event.shiftKey) selection.extendTo(id, idsOf(rows))
      else if (!isOnControl(event.target) && !event.metaKey && !event.ctrlKey) open(id)
    },
  }
  return (
    <main className="sheet">
      <ListBar {...{ schema, state, change, columns, choice, choose, search, mayCreate, list }} />
      <ViewTabs {...{ schema, state, change }} />
      <FilterBar {...{ schema, state, change, isFiltering, setFiltering }} conditions={list.conditions} />
      {list.followed.followers}
      <ListBody
        {...{ schema, state, change, list, grouping, place, choice, choose, context, selection, grid }}
        actions={gridActions}
        grouped={grouped}
        onLive={setLive}
        notice={<ListNotice {...{ schema, state, change, list, mayCreate }} />}
      />
      <NewRows followed={list.followed} grid={grid} />
      <SelectionBar {...{ state, selection, actions, isReading }} count={list.count} />
      <ListFooter
        {...{ schema, list }}
        hasOrder={orderOf(schema, state) !== undefined}
        isLive={isLive}
        onKeys={() => openLayer("keys")}
      />
      {actions.dialog}
    </main>
  )
}

interface ListOfRecords {
  readonly collection: string
  readonly state: ListState
  readonly list: List
  readonly place: ListPlace
  /** The records of the groups that are shown; null if the records are one list. */
  readonly grouped: RefObject<readonly string[] | null>
}

/** Opens a record, which knows its neighbours in the list or in its groups, and to which row a person comes back. */
function useOpenRecord({ collection, state, list, place, grouped }: ListOfRecords): (id: string) => void {
  const [, navigate] = useLocation()
  const { rows, offset } = list.followed.state
  return (id) => {
    const ids = grouped.current ?? idsOf(rows)
    place.keep({ id, index: offset + ids.indexOf(id) })
    const address = `${listPath(collection)}${listQuery(state)}`
    const total = list.count.isMore || grouped.current ? null : (list.count.count ?? null)
    keepListOrder({ collection, address, ids, offset, total })
    navigate(recordPath(collection, id))
  }
}

function idsOf(rows: readonly ConsoleRecord[]): readonly string[] {
  return rows.map(({ id }) => id)
}

function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, .check") !== null
}

function useRowContext({
  schema,
  columns,
  completeness,
  onToggle,
  onOpen,
}: Omit<RowContext, "collection" | "way" | "cover"> & { readonly schema: CollectionSchema }): RowContext {
  // Rows are rendered again with another context, so that it stays the same while what they show does.
  const open = useRef(onOpen)
  open.current = onOpen
  return useMemo(() => {
    const cover = schema.options.upload ? "" : coverOf(schema)
    const isShownAlready = columns.some(({ name }) => name === cover)
    return {
      collection: schema.name,
      columns,
      way: wayOf(schema),
      completeness,
      cover: isShownAlready ? null : cover,
      onToggle,
      onOpen: (id) => open.current(id),
    }
  }, [schema, columns, completeness, onToggle])
}

// The views stand in a row: all, and those that the author has declared.
function nextView({ list }: CollectionSchema, view: number | null, step: 1 | -1): number | null {
  const count = list.views.length + 1
  const next = ((view ?? -1) + 1 + step + count) % count
  return next === 0 ? null : next - 1
}
