import type { CollectionSchema } from "kit/client"
import { X } from "lucide-react"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { ListState } from "../list-state.ts"
import type { ChangeListState } from "../use-list-state.ts"
import { groupingOf } from "./grouping.ts"

interface GroupChipProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly change: ChangeListState
}

/** Says by which field the list is grouped; the cross makes it one list again. */
export function GroupChip({ schema, state, change }: GroupChipProps) {
  const words = useWords("list")
  const grouping = groupingOf(schema, state.group)
  if (grouping === null) return null
  const { field, by } = grouping
  const label = by === "month" ? words.groups.monthOf(field.label) : field.label
  return (
    <span className="filter">
      <span className="sentence">
        <i>{words.groups.grouped}</i> <b>{label}</b>
      </span>
      <button
        type="button"
        className="remove"
        aria-label={words.groups.remove(label)}
        onClick={() => change({ group: null })}
      >
        <Icon of={X} />
      </button>
    </span>
  )
}
