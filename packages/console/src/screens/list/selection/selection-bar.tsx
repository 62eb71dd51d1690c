import { RotateCcw, Trash2, X } from "lucide-react"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { ListState } from "../list-state.ts"
import type { Selection } from "./selection.ts"
import type { SelectionActions } from "./use-selection-actions.tsx"

interface SelectionBarProps {
  readonly state: ListState
  readonly selection: Selection
  readonly actions: SelectionActions
}

/** The actions on the selected rows. */
export function SelectionBar({ state, selection, actions }: SelectionBarProps) {
  const words = useWords("list")
  const count = selection.ids.size
  return (
    <div className="selection-place" role="status">
      {count > 0 && (
        <div className="selection-bar">
          <b className="number">{words.chosen(count)}</b>
          {actions.restore && (
            <button type="button" onClick={actions.restore}>
              <Icon of={RotateCcw} />
              {words.restore}
            </button>
          )}
          {actions.remove && (
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
