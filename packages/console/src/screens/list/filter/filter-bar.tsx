import type { CollectionSchema } from "kit/client"
import { Plus } from "lucide-react"
import { useRef, useState } from "react"
import { Dialog } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import { GroupChip } from "../groups/group-chip.tsx"
import type { Condition, ListState } from "../list-state.ts"
import type { ShownCondition } from "../use-list.ts"
import type { ChangeListState } from "../use-list-state.ts"
import { FilterChip } from "./filter-chip.tsx"
import { FilterEditor } from "./filter-editor.tsx"
import { sentenceText } from "./sentence.ts"
import { useSentences } from "./use-sentences.ts"

interface FilterBarProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly change: ChangeListState
  readonly conditions: readonly ShownCondition[]
  /** True while a new filter is being made. */
  readonly isFiltering: boolean
  readonly setFiltering: (isFiltering: boolean) => void
}

/** The filters of a list, each a sentence that can be changed and removed, and the button that adds one. */
export function FilterBar({ schema, state, change, conditions, isFiltering, setFiltering }: FilterBarProps) {
  const words = useWords("list")
  const sentences = useSentences(conditions)
  const add = useRef<HTMLButtonElement>(null)
  const [edited, setEdited] = useState<number | null>(null)
  const [chip, setChip] = useState<HTMLElement | null>(null)
  const put = (condition: Condition) => {
    change({ conditions: withCondition(state.conditions, condition, edited) })
    close()
  }
  const close = () => {
    setFiltering(false)
    setEdited(null)
  }
  return (
    <fieldset className={conditions.length > 0 ? "filters chosen" : "filters"} aria-label={words.filters}>
      {state.conditions.map((condition, place) => {
        const sentence = sentences[place]
        const text = sentence ? sentenceText(sentence) : `${condition.path.join(" › ")} ${words.unknownFilter}`
        return (
          <FilterChip
            key={text}
            {...{ condition, sentence, text }}
            isOpen={edited === place}
            onEdit={(element) => {
              setChip(element)
              setEdited(place)
            }}
            onRemove={() => change({ conditions: state.conditions.filter((_, each) => each !== place) })}
          />
        )
      })}
      <button
        ref={add}
        type="button"
        className="button quiet"
        aria-haspopup="dialog"
        aria-expanded={isFiltering}
        onClick={() => setFiltering(true)}
      >
        <Icon of={Plus} />
        {words.filter}
        <kbd className="on-desk" aria-hidden>
          F
        </kbd>
      </button>
      {conditions.length > 1 && <Clear onClear={() => change({ conditions: [] })} />}
      <GroupChip {...{ schema, state, change }} />
      <Popover
        className="floating popover filter-popover"
        placement="bottom start"
        offset={4}
        triggerRef={edited === null ? add : { current: chip }}
        isOpen={isFiltering || edited !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
      >
        <Dialog aria-label={words.filter}>
          <FilterEditor
            {...{ schema, state, conditions, edited }}
            condition={edited === null ? null : (state.conditions[edited] ?? null)}
            onApply={put}
          />
        </Dialog>
      </Popover>
    </fieldset>
  )
}

function Clear({ onClear }: { readonly onClear: () => void }) {
  const words = useWords("list")
  return (
    <button type="button" className="button quiet" onClick={onClear}>
      {words.clearFilters}
    </button>
  )
}

function withCondition(
  conditions: readonly Condition[],
  condition: Condition,
  place: number | null,
): readonly Condition[] {
  return place === null ? [...conditions, condition] : conditions.with(place, condition)
}
