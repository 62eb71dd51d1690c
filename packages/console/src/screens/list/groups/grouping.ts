import type { CollectionSchema, FieldSchema, RelationSchema } from "kit/client"
import { ownMember } from "../../../kit/own-member.ts"
import type { Condition } from "../list-state.ts"

/** The field by which a list is put into groups. */
export interface Grouping {
  readonly field: FieldSchema
  readonly relation: RelationSchema | undefined
  /** A group has one value, or all days of a month. */
  readonly by: "value" | "month"
}

/** A group of a list, with its first records. */
export interface RecordGroup {
  /** The value as text. */
  readonly key: string
  /** Null for the records without a value; the first day of a month. */
  readonly value: unknown
  /** The title of the related record; null or undefined if there is none that the person may read. */
  readonly title: string | null | undefined
  /** The number of all records in the group. */
  readonly count: number
  /** The first records; undefined while they have not been read. */
  readonly docs: readonly { readonly id: string; readonly [field: string]: unknown }[] | undefined
}

const BY_VALUE: readonly string[] = ["select", "visibility", "boolean"]
const BY_MONTH: readonly string[] = ["date", "datetime"]

/** Returns the fields by which the records of a collection can be put into groups that people care for. */
export function groupingsOf(schema: CollectionSchema): readonly Grouping[] {
  return Object.keys(schema.fields).flatMap((name) => groupingOf(schema, name) ?? [])
}

/** Returns how a list is grouped by a field; null if it cannot be. */
export function groupingOf(schema: CollectionSchema, name: string | null): Grouping | null {
  const field = name === null ? undefined : ownMember(schema.fields, name)
  if (field === undefined || !field.groupable || field.access.read === false) return null
  const relation = ownMember(schema.relations, field.name)
  if (relation) return relation.type === "belongsTo" ? { field, relation, by: "value" } : null
  const type = field.valueType ?? field.type
  if (BY_VALUE.includes(type)) return { field, relation, by: "value" }
  // Months are found by an aggregate, which takes no field that a rule shows in some records.
  if (BY_MONTH.includes(type) && field.access.read === true) return { field, relation, by: "month" }
  return null
}

/** Returns the filter that has the records of a group, as a person would make it. */
export function groupCondition({ field, relation, by }: Grouping, { value }: Pick<RecordGroup, "value">): Condition {
  const path = [field.name]
  if (value === null) return { path, operator: "isEmpty", operand: null }
  if (by === "month") return { path, operator: "between", operand: daysOfMonth(String(value)) }
  if (typeof value === "boolean") return { path, operator: value ? "isYes" : "isNo", operand: null }
  return {
    path,
    operator: relation || field.options ? "isAnyOf" : "is",
    operand: relation || field.options ? [value] : value,
  }
}

/** Returns groups in the order in which people know their values: options as declared, related records by their titles. */
export function inKnownOrder(
  groups: readonly RecordGroup[],
  { field, relation, by }: Grouping,
): readonly RecordGroup[] {
  if (by === "month") return groups
  const places = new Map(field.options?.map(({ value }, place) => [value, place]))
  const placeOf = ({ value }: RecordGroup) => places.get(String(value)) ?? places.size
  return groups.toSorted((one, other) => {
    if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null)
    if (relation) return (one.title ?? "").localeCompare(other.title ?? "")
    return placeOf(one) - placeOf(other)
  })
}

/** Returns the first and the last day of the month that begins with a day. */
function daysOfMonth(first: string): readonly [string, string] {
  const [year = 0, month = 1] = first.split("-").map(Number)
  // Day 0 of the next month.
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return [first, `${first.slice(0, 8)}${String(last).padStart(2, "0")}`]
}
