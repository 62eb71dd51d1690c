import type { CollectionSchema } from "kit/client"
import type { RefObject } from "react"
import type { Column } from "./columns.ts"
import type { ColumnChoice } from "./kept-columns.ts"
import type { ListState } from "./list-state.ts"
import type { List } from "./use-list.ts"
import type { ChangeListState } from "./use-list-state.ts"

/** The properties of the upper edge of a list, and of the display settings in it. */
export interface ListBarProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly change: ChangeListState
  readonly columns: readonly Column[]
  readonly choice: ColumnChoice
  readonly choose: (choice: ColumnChoice) => void
  readonly search: RefObject<HTMLInputElement | null>
  readonly mayCreate: boolean
  readonly list: List
}
