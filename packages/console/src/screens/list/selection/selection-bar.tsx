import { RotateCcw, Trash2, X } from "lucide-react"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { ListState } from "../list-state.ts"
import type { ListCount } from "../use-list.ts"
import { MAX_SELECTED } from "./read-ids.ts"
import type { Selection } from "./selection.ts"
import type { SelectionActions } from "./use-selection-actions.tsx"

interface SelectionBarProps {
  readonly state: ListState
  readonly selection: Selection
  readonly actions: SelectionActions
  /** The number of records in the list. */
  readonly count: ListCount
  /** True while all records that match are being read. */
  readonly isReading: boolean
}

/** How many records are selected, and the actions on them. */
export function SelectionBar({ state, selection, actions, count, isReading }: SelectionBarProps) {
  const words = useWords("list")
  const selected = selection.ids.size
  return (
    <div className="selection-place" role="status">
      {selected > 0 && (
        <div className="selection-bar">
          <b className="number">{isReading ? words.readingAll : words.chosen(selected)}</b>
          {!isReading && <Others {...{ selection, count }} />}
          {!isReading && actions.restore && (
            <button type="button" onClick={actions.restore}>
              <Icon of={RotateCcw} />
              {words.restore}
            </button>
          )}
          {!isReading && actions.remove && (
            <button type="button" onClick={actions.remove}>
              <Icon of={Trash2} />
              {state.isTrash ? words.purge : words.delete}
            </button>
          )}
          <button type="button" aria-label={words.clearSelection} onClick={selection.clear}>
            <Icon of={X} />
          </button>
        </div>
      )}
    </div>
  )
}

/** Offers to select all records that match, or says that there are more than can be selected. */
function Others({ selection, count: { count, isMore } }: Pick<SelectionBarProps, "selection" | "count">) {
  const words = useWords("list")
  const { size } = selection.ids
  if (size >= MAX_SELECTED && isMore) return <span className="selection-note">{words.firstOfMore}</span>
  if (count === undefined || count <= size) return null
  return (
    <button type="button" className="all-matching" onClick={() => selection.selectAll([...selection.ids])}>
      {words.allMatching(words.count(count, isMore))}
    </button>
  )
}
