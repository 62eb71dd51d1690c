import type { CollectionSchema, FieldSchema } from "kit/client"
import { ChevronLeft } from "lucide-react"
import type { FormEvent } from "react"
import { filterOfOperand } from "../../../fields/filters.ts"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import { filterOf } from "../list-options.ts"
import type { Condition, ListState } from "../list-state.ts"
import { type ShownCondition, useListCount } from "../use-list.ts"
import { filterableFields } from "./filterable-fields.ts"
import { MenuColumn } from "./menu-column.tsx"
import type { ResolvedCondition } from "./resolve-condition.ts"
import { type FilterSteps, useFilterDraft } from "./use-filter-draft.ts"

interface FilterEditorProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly conditions: readonly ShownCondition[]
  /** The number of the condition that is changed; null for a new one. */
  readonly edited: number | null
  readonly condition: Condition | null
  readonly onApply: (condition: Condition) => void
}

/** Makes a filter in three steps: a field, perhaps through relations, how it is compared, and with what. */
export function FilterEditor(props: FilterEditorProps) {
  const { schema, condition, onApply } = props
  const words = useWords("list")
  const steps = useFilterDraft(schema, condition)
  const { draft, chosen, relation, comparison, whole, resolved } = steps
  const Value = comparison && filterOfOperand(comparison.operand)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (whole && resolved) onApply(whole)
  }
  return (
    <form className="filter-editor" onSubmit={apply} data-step={Value ? 3 : chosen ? 2 : 1}>
      <div className="parts">
        <FieldsColumn steps={steps} />
        {chosen && <ComparisonsColumn steps={steps} chosen={chosen} />}
        {chosen && comparison && Value && (
          <div className="menu-column value" data-menu-column>
            <Value
              key={`${draft.path.join()}-${comparison.operand}`}
              field={chosen}
              relation={relation}
              operand={draft.operand}
              onChange={(operand) => steps.setDraft({ ...draft, operand })}
              label={words.valueOf(chosen.label)}
            />
          </div>
        )}
      </div>
      <div className="menu-end">
        {chosen && (
          // Only on a phone, which shows one step at a time.
          <button type="button" className="button step-back" onClick={steps.goBack}>
            {words.back}
          </button>
        )}
        <Matching {...props} resolved={resolved ?? null} />
        <button type="submit" className="button primary" disabled={!resolved}>
          {words.apply}
        </button>
      </div>
    </form>
  )
}

function FieldsColumn({ steps }: { readonly steps: FilterSteps }) {
  const words = useWords("list")
  const { relations, setRelations, relationLabels, target, chosen, setDraft } = steps
  const back = relations.length > 0 && (
    <Button look="quiet" onPress={() => setRelations(relations.slice(0, -1))}>
      <Icon of={ChevronLeft} />
      {relationLabels.join(" › ")}
    </Button>
  )
  const entries = (target ? filterableFields(target) : []).map(({ name, label }) => ({
    key: name,
    label,
    ...(isToMany(target, name) && { note: words.many }),
    leadsOn: target?.relations[name] !== undefined,
    isChosen: chosen?.name === name,
    onChoose: () => setDraft({ path: [...relations, name], operator: null, operand: undefined }),
  }))
  return <MenuColumn label={target?.label ?? ""} head={back} entries={entries} />
}

function ComparisonsColumn({ steps, chosen }: { readonly steps: FilterSteps; readonly chosen: FieldSchema }) {
  const words = useWords("list")
  const { draft, setDraft, comparisons, comparison, leadOn } = steps
  const entries = comparisons.map(({ name, operand }) => ({
    key: name,
    label: words.comparisons[name],
    isChosen: draft.operator === name,
    onChoose: () => {
      const isAlike = comparison?.operand === operand
      setDraft({ ...draft, operator: name, operand: isAlike ? draft.operand : undefined })
    },
  }))
  const further = leadOn && {
    key: "fields",
    label: words.itsFields,
    leadsOn: true,
    isChosen: false,
    onChoose: leadOn,
  }
  return (
    <MenuColumn
      label={chosen.label}
      head={<p className="menu-group">{chosen.label}</p>}
      entries={further ? [...entries, further] : entries}
    />
  )
}

type MatchingProps = Omit<FilterEditorProps, "condition" | "onApply"> & { readonly resolved: ResolvedCondition | null }

/** How many records the list would have with the filter. */
function Matching({ schema, state, conditions, edited, resolved }: MatchingProps) {
  const words = useWords("list")
  const others = conditions.flatMap((condition, place) => (place === edited ? [] : (condition.resolved ?? [])))
  const { count, isMore } = useListCount(schema.name, resolved && filterOf(schema, state, [...others, resolved]))
  return <span className="dim number">{count === undefined ? "" : words.matches(words.count(count, isMore))}</span>
}

function isToMany(schema: CollectionSchema | undefined, name: string): boolean {
  const type = schema?.relations[name]?.type
  return type !== undefined && type !== "belongsTo"
}
