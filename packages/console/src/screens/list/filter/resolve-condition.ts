import type { CollectionSchema, FieldSchema, RelationSchema } from "kit/client"
import { ownMember } from "../../../kit/own-member.ts"
import type { Condition } from "../list-state.ts"
import { type Comparison, comparisonsOf, type Operand } from "./comparisons.ts"

/** Returns the description of a collection; null if there is none for this person, undefined while it is being read. */
type FindSchema = (collection: string) => CollectionSchema | null | undefined

/** A condition with what the descriptions know of it. */
export interface ResolvedCondition {
  readonly relations: readonly { readonly field: FieldSchema; readonly relation: RelationSchema }[]
  readonly field: FieldSchema
  readonly relation: RelationSchema | undefined
  readonly comparison: Comparison
  readonly operand: unknown
}

/** Returns what a condition means; null if it means nothing, undefined while a description is being read. */
export function resolveCondition(
  schema: CollectionSchema,
  { path, operator, operand }: Condition,
  findSchema: FindSchema,
): ResolvedCondition | null | undefined {
  const relations: { field: FieldSchema; relation: RelationSchema }[] = []
  let at: CollectionSchema = schema
  for (const name of path.slice(0, -1)) {
    const [field, relation] = [ownMember(at.fields, name), ownMember(at.relations, name)]
    if (field === undefined || relation === undefined || relation.targetCollection === null) return null
    const target = findSchema(relation.targetCollection)
    if (!target) return target
    relations.push({ field, relation })
    at = target
  }
  const name = path.at(-1) ?? ""
  const field = ownMember(at.fields, name)
  if (field === undefined) return null
  const relation = ownMember(at.relations, name)
  const comparison = comparisonsOf(field, relation).find((each) => each.name === operator)
  if (comparison === undefined || !isOperand(comparison.operand, operand)) return null
  return { relations, field, relation, comparison, operand }
}

/** Returns the filter of the API for a condition. A condition on one of many related records is on some of them. */
export function whereOf({ relations, field, comparison, operand }: ResolvedCondition): Record<string, unknown> {
  // The operand has been checked against the kind that the comparison takes.
  const inner: Record<string, unknown> = { [field.name]: comparison.where(operand as never) }
  return relations.reduceRight((where, { field: { name }, relation }) => {
    return { [name]: relation.type === "belongsTo" ? where : { some: where } }
  }, inner)
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Returns whether a value is one with which a comparison can be made. An address may have anything. */
function isOperand(kind: Operand, value: unknown): boolean {
  switch (kind) {
    case "none":
      return true
    case "text":
      return typeof value === "string" && value !== ""
    case "number":
      return isAmount(value)
    case "numbers":
      return isPair(value) && value.every(isAmount)
    case "date":
      return isDay(value)
    case "dates":
      return isPair(value) && value.every(isDay)
    case "days":
      return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= 36_500
    case "options":
    case "records":
      return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
    case "item":
      return (typeof value === "string" && value !== "") || isAmount(value)
    default:
      return kind satisfies never
  }
}

// A bigint and a decimal are texts, because a number could not hold them.
function isAmount(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value)
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)
}

function isPair(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length === 2
}

function isDay(value: unknown): boolean {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(new Date(`${value}T00:00:00`).getTime())
}
