import type { CollectionSchema } from "kit/client"
import { ChevronLeft } from "lucide-react"
import { type FormEvent, useState } from "react"
import { filterOfOperand } from "../../../fields/filters.ts"
import { useFindSchema } from "../../../kit/schemas.ts"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import { filterOf } from "../list-options.ts"
import type { Condition, ListState } from "../list-state.ts"
import { type ShownCondition, useListCount } from "../use-list.ts"
import { comparisonsOf } from "./comparisons.ts"
import { filterableFields } from "./filterable-fields.ts"
import { MenuColumn } from "./menu-column.tsx"
import { type ResolvedCondition, resolveCondition } from "./resolve-condition.ts"

interface FilterEditorProps {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly conditions: readonly ShownCondition[]
  /** The number of the condition that is changed; null for a new one. */
  readonly edited: number | null
  readonly condition: Condition | null
  readonly onApply: (condition: Condition) => void
}

// A filter through more relations costs more than a list should.
const MAX_RELATIONS = 2

interface Draft {
  readonly path: readonly string[]
  readonly operator: string | null
  readonly operand: unknown
}

const NOTHING_YET: Draft = { path: [], operator: null, operand: undefined }

/** Makes a filter in three steps: a field, perhaps through relations, how it is compared, and with what. */
export function FilterEditor({ schema, state, conditions, edited, condition, onApply }: FilterEditorProps) {
  const words = useWords("list")
  const findSchema = useFindSchema()
  const [draft, setDraft] = useState<Draft>(condition ?? NOTHING_YET)
  // The relations whose fields are shown.
  const [relations, setRelations] = useState<readonly string[]>(condition?.path.slice(0, -1) ?? [])
  const whole =
    draft.operator === null ? null : { path: draft.path, operator: draft.operator, operand: draft.operand ?? null }
  const resolved = whole && resolveCondition(schema, whole, findSchema)
  const target = targetOf(schema, relations, findSchema)
  const chosen = draft.path.length === relations.length + 1 ? target?.fields[draft.path.at(-1) ?? ""] : undefined
  const relation = chosen && target?.relations[chosen.name]
  const comparisons = chosen ? comparisonsOf(chosen, relation) : []
  const comparison = comparisons.find(({ name }) => name === draft.operator)
  const Value = comparison && filterOfOperand(comparison.operand)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (whole && resolved) onApply(whole)
  }
  const mayLeadOn = relation?.targetCollection && relations.length < MAX_RELATIONS
  return (
    <form className="filter-editor" onSubmit={apply} data-step={Value ? 3 : chosen ? 2 : 1}>
      <div className="parts">
        <MenuColumn
          label={target?.label ?? ""}
          head={
            relations.length === 0 ? null : (
              <Button look="quiet" onPress={() => setRelations(relations.slice(0, -1))}>
                <Icon of={ChevronLeft} />
                {relationLabels(schema, relations, findSchema).join(" › ")}
              </Button>
            )
          }
          entries={(target ? filterableFields(target) : []).map(({ name, label }) => ({
            key: name,
            label,
            ...(isToMany(target, name) && { note: words.many }),
            leadsOn: target?.relations[name] !== undefined,
            isChosen: chosen?.name === name,
            onChoose: () => setDraft({ path: [...relations, name], operator: null, operand: undefined }),
          }))}
        />
        {chosen && (
          <MenuColumn
            label={chosen.label}
            head={<p className="menu-group">{chosen.label}</p>}
            entries={[
              ...comparisons.map(({ name, operand }) => ({
                key: name,
                label: words.comparisons[name],
                isChosen: draft.operator === name,
                onChoose: () => {
                  const isAlike = comparison?.operand === operand
                  setDraft({ ...draft, operator: name, operand: isAlike ? draft.operand : undefined })
                },
              })),
              ...(mayLeadOn
                ? [
                    {
                      key: "fields",
                      label: words.itsFields,
                      leadsOn: true,
                      isChosen: false,
                      onChoose: () => {
                        setRelations([...relations, chosen.name])
                        setDraft(NOTHING_YET)
                      },
                    },
                  ]
                : []),
            ]}
          />
        )}
        {chosen && comparison && Value && (
          <div className="menu-column value" data-menu-column>
            <Value
              key={`${draft.path.join()}-${comparison.operand}`}
              field={chosen}
              relation={relation}
              operand={draft.operand}
              onChange={(operand) => setDraft({ ...draft, operand })}
              label={words.valueOf(chosen.label)}
            />
          </div>
        )}
      </div>
      <div className="menu-end">
        {chosen && (
          // Only on a phone, which shows one step at a time.
          <button
            type="button"
            className="button step-back"
            onClick={() => setDraft(comparison ? { ...draft, operator: null, operand: undefined } : NOTHING_YET)}
          >
            {words.back}
          </button>
        )}
        <Matching {...{ schema, state, conditions, edited }} resolved={resolved ?? null} />
        <button type="submit" className="button primary" disabled={!resolved}>
          {words.apply}
        </button>
      </div>
    </form>
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

function targetOf(
  schema: CollectionSchema,
  relations: readonly string[],
  findSchema: ReturnType<typeof useFindSchema>,
): CollectionSchema | undefined {
  let at: CollectionSchema | undefined = schema
  for (const name of relations) at = findSchema(at?.relations[name]?.targetCollection ?? "") ?? undefined
  return at
}

function relationLabels(
  schema: CollectionSchema,
  relations: readonly string[],
  findSchema: ReturnType<typeof useFindSchema>,
): readonly string[] {
  return relations.map((name, place) => {
    return targetOf(schema, relations.slice(0, place), findSchema)?.fields[name]?.label ?? name
  })
}

function isToMany(schema: CollectionSchema | undefined, name: string): boolean {
  const type = schema?.relations[name]?.type
  return type !== undefined && type !== "belongsTo"
}
