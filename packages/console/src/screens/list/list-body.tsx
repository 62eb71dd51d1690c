import type { CollectionSchema } from "kit/client"
import { type ReactNode, type RefObject, Suspense } from "react"
import { loadable } from "../../parts/loadable.tsx"
import { listPath } from "../../routes.ts"
import { resolveCondition } from "./filter/resolve-condition.ts"
import { Grid } from "./grid/grid.tsx"
import type { RowContext } from "./grid/grid-row.tsx"
import type { GridActions } from "./grid/use-grid-keys.ts"
import { type Grouping, groupCondition, type RecordGroup } from "./groups/grouping.ts"
import { type ColumnChoice, columnTracks, leastWidth } from "./kept-columns.ts"
import { filterOf, orderOf, orderText } from "./list-options.ts"
import type { ListPlace } from "./list-place.ts"
import { type ListState, listQuery } from "./list-state.ts"
import type { Selection } from "./selection/selection.ts"
import type { List } from "./use-list.ts"
import type { ChangeListState } from "./use-list-state.ts"

const GroupedList = loadable(async () => (await import("./groups/grouped-list.tsx")).GroupedList)

interface ListBodyProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly change: ChangeListState
  readonly list: List
  /** Null if the records are one list. */
  readonly grouping: Grouping | null
  readonly place: ListPlace
  readonly choice: ColumnChoice
  readonly choose: (choice: ColumnChoice) => void
  readonly context: RowContext
  readonly selection: Selection
  readonly grid: RefObject<HTMLDivElement | null>
  readonly actions: GridActions
  /** Holds the records of the groups that are shown. */
  readonly grouped: RefObject<readonly string[] | null>
  readonly onLive: (isLive: boolean) => void
  /** Why there are no records. */
  readonly notice: ReactNode
}

/** The records of a list: its rows, its groups, or why there are none. */
export function ListBody(props: ListBodyProps) {
  const { schema, state, change, list, grouping, place, choice, choose, notice } = props
  const { context, selection, grid, actions, grouped, onLive } = props
  const shown = {
    ...{ context, selection, grid, actions },
    tracks: columnTracks(context.columns, choice),
    leastWidth: leastWidth(context.columns, choice),
    head: {
      order: orderText(orderOf(schema, state)),
      onOrder: (order: string | null) => change({ order }),
      onResize: (name: string, width: number) => choose({ ...choice, widths: { ...choice.widths, [name]: width } }),
    },
    returnTo: place.kept,
  }
  // Another list begins at its beginning.
  const { key } = place
  if (grouping !== null) {
    if (list.options === null) return null
    return (
      <Suspense>
        <GroupedList
          key={key}
          {...shown}
          {...{ schema, grouping, grouped, onLive, notice }}
          options={list.options}
          {...groupFilters({ schema, state, list, grouping })}
        />
      </Suspense>
    )
  }
  if (hasNothing(list)) return notice
  const { count, isMore } = list.count
  return <Grid key={key} {...shown} label={schema.label} list={list.followed} count={count} isCountExact={!isMore} />
}

interface GroupsOfList extends Pick<ListBodyProps, "schema" | "state" | "list"> {
  readonly grouping: Grouping
}

/** Returns how the records of one group are found, for a read and as an address. */
function groupFilters({ schema, state, list, grouping }: GroupsOfList) {
  const known = list.conditions.flatMap(({ resolved }) => resolved ?? [])
  return {
    filterOfGroup: (group: RecordGroup) => {
      const resolved = resolveCondition(schema, groupCondition(grouping, group), () => null)
      return filterOf(schema, state, resolved ? [...known, resolved] : known)
    },
    hrefOf: (group: RecordGroup) => {
      const conditions = [...state.conditions, groupCondition(grouping, group)]
      return `${listPath(schema.name)}${listQuery({ ...state, group: null, conditions })}`
    },
  }
}

/** Returns whether there is nothing to show: no record, or an error before the first one was read. */
function hasNothing({ followed: { state, status } }: List): boolean {
  if (state.rows.length > 0) return false
  return status === "error" || (state.isLoaded && state.isToEnd)
}
