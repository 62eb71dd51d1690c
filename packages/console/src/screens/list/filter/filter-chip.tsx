import { X } from "lucide-react"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { Condition } from "../list-state.ts"
import type { Sentence } from "./sentence.ts"

interface FilterChipProps {
  readonly condition: Condition
  /** Undefined if the descriptions do not know what the condition means. */
  readonly sentence: Sentence | undefined
  /** The whole sentence. */
  readonly text: string
  readonly isOpen: boolean
  readonly onEdit: (chip: HTMLElement) => void
  readonly onRemove: () => void
}

/** A filter that reads like a sentence: a press changes it, and the cross removes it. */
export function FilterChip({ condition, sentence, text, isOpen, onEdit, onRemove }: FilterChipProps) {
  const words = useWords("list")
  return (
    <span className={isOpen ? "filter open" : "filter"}>
      <button
        type="button"
        className="sentence"
        disabled={sentence === undefined}
        aria-haspopup="dialog"
        onClick={(event) => onEdit(event.currentTarget)}
      >
        <b>{sentence?.subject ?? condition.path.join(" › ")}</b> <i>{sentence?.verb ?? words.unknownFilter}</i>{" "}
        {sentence && sentence.object !== "" && <b>{sentence.object}</b>}
      </button>
      <button type="button" className="remove" aria-label={words.removeFilter(text)} onClick={onRemove}>
        <Icon of={X} />
      </button>
    </span>
  )
}
