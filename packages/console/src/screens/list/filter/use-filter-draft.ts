import type { CollectionSchema, FieldSchema, RelationSchema } from "kit/client"
import { useState } from "react"
import { useFindSchema } from "../../../kit/schemas.ts"
import type { Condition } from "../list-state.ts"
import { type Comparison, comparisonsOf } from "./comparisons.ts"
import { type ResolvedCondition, resolveCondition } from "./resolve-condition.ts"

// A filter through more relations costs more than a list should.
const MAX_RELATIONS = 2

/** A filter that is being made: what has been chosen of it. */
interface Draft {
  readonly path: readonly string[]
  readonly operator: string | null
  readonly operand: unknown
}

const NOTHING_YET: Draft = { path: [], operator: null, operand: undefined }

/** The steps of making a filter, and what the descriptions know of each. */
export interface FilterSteps {
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
  /** The relations whose fields are shown, and their labels. */
  readonly relations: readonly string[]
  readonly relationLabels: readonly string[]
  readonly setRelations: (relations: readonly string[]) => void
  /** The collection whose fields are shown; undefined while its description is being read. */
  readonly target: CollectionSchema | undefined
  readonly chosen: FieldSchema | undefined
  readonly relation: RelationSchema | undefined
  readonly comparisons: readonly Comparison[]
  readonly comparison: Comparison | undefined
  /** Shows the fields of the chosen relation; null if it leads no further. */
  readonly leadOn: (() => void) | null
  readonly goBack: () => void
  /** The condition as far as it is chosen, and what it means; null or undefined if it means nothing yet. */
  readonly whole: Condition | null
  readonly resolved: ResolvedCondition | null | undefined
}

/** Follows the steps of making a filter, or of changing the one that is given. */
export function useFilterDraft(schema: CollectionSchema, condition: Condition | null): FilterSteps {
  const findSchema = useFindSchema()
  const [draft, setDraft] = useState<Draft>(condition ?? NOTHING_YET)
  const [relations, setRelations] = useState<readonly string[]>(condition?.path.slice(0, -1) ?? [])
  const { path, operator, operand } = draft
  const whole = operator === null ? null : { path, operator, operand: operand ?? null }
  const target = targetOf(schema, relations, findSchema)
  const chosen = path.length === relations.length + 1 ? target?.fields[path.at(-1) ?? ""] : undefined
  const relation = chosen && target?.relations[chosen.name]
  const comparisons = chosen ? comparisonsOf(chosen, relation) : []
  const comparison = comparisons.find(({ name }) => name === operator)
  const mayLeadOn = chosen && relation?.targetCollection && relations.length < MAX_RELATIONS
  const leadOn = () => {
    setRelations([...relations, ...(chosen ? [chosen.name] : [])])
    setDraft(NOTHING_YET)
  }
  return {
    ...{ draft, setDraft, relations, setRelations, target, chosen, relation, comparisons, comparison, whole },
    relationLabels: relationLabels(schema, relations, findSchema),
    leadOn: mayLeadOn ? leadOn : null,
    goBack: () => setDraft(comparison ? { ...draft, operator: null, operand: undefined } : NOTHING_YET),
    resolved: whole && resolveCondition(schema, whole, findSchema),
  }
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
