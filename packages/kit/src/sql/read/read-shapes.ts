import type { ReadShape } from "../../ports/database.ts"
import { isSortable, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import { isMasked } from "../filter/masked-field.ts"
import type { Predicate } from "../filter/predicate.ts"
import type { Grouping } from "../parse/parse-group.ts"
import type { OrderKey } from "../parse/parse-order.ts"

interface SearchedRead {
  readonly resource: Resource
  readonly predicate: Predicate
  readonly order?: readonly OrderKey[]
  readonly grouping?: Grouping | undefined
}

type Comparison = Extract<Predicate, { kind: "compare" }>

// Callers choose the filter, so the number of its shapes is limited.
const MAX_SHAPES = 5
const MAX_FIELDS = 4

/**
 * Returns the shapes of a read: one for each table in which it looks for rows, and one for each alternative of an `or`.
 * A shape has only fields that an index could serve. Shapes without fields, and those with an id, are left out.
 */
export function shapesOfRead({ resource, predicate, order = [], grouping }: SearchedRead): readonly ReadShape[] {
  const sorted = grouping ? [grouping.field].filter(isIndexable) : sortedFields(order)
  return shapesOf(resource, predicate, namesOf(sorted)).filter(canLackIndex).slice(0, MAX_SHAPES)
}

function shapesOf(resource: Resource, predicate: Predicate, order: readonly string[] = []): readonly ReadShape[] {
  const parts = conjuncts(predicate)
  const compared = parts.filter((part) => part.kind === "compare").filter(({ field }) => field !== resource.deletedAt)
  const own: ReadShape = {
    resource: resource.name,
    equal: fieldsOf(compared, isEquality),
    ranges: fieldsOf(compared, isRange),
    contained: fieldsOf(compared, isContained),
    order,
  }
  return [own, ...parts.flatMap((part) => shapesOfPart(resource, part))]
}

function conjuncts(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === "all" ? predicate.parts.flatMap(conjuncts) : [predicate]
}

// Returns the shapes of a condition that is no comparison of a field of the row itself.
function shapesOfPart(resource: Resource, part: Predicate): readonly ReadShape[] {
  if (part.kind === "any") return part.parts.flatMap((alternative) => shapesOf(resource, alternative))
  if (part.kind === "related") return shapesOf(part.target, part.part)
  if (part.kind === "some") return shapesOf(part.relation.target, part.part)
  return []
}

function fieldsOf(compared: readonly Comparison[], isOfKind: (comparison: Comparison) => boolean): readonly string[] {
  return namesOf(compared.filter(isOfKind).map(({ field }) => field)).sort()
}

function isEquality({ field, operator }: Comparison): boolean {
  return isIndexable(field) && ["eq", "in", "isNull"].includes(operator.name)
}

function isRange({ field, operator }: Comparison): boolean {
  return isIndexable(field) && ["gt", "gte", "lt", "lte", "between"].includes(operator.name)
}

function isContained({ field, operator }: Comparison): boolean {
  if (!isStoredPlainly(field) || field.type.operators !== "text") return false
  return ["contains", "startsWith", "endsWith", "like", "ilike"].includes(operator.name)
}

// The values of long texts do not fit into the index that comparisons use.
function isIndexable(field: ResourceField): boolean {
  return isStoredPlainly(field) && isSortable(field) && field.type.name !== "textarea"
}

function isStoredPlainly(field: ResourceField): boolean {
  return field.isStored && !isMasked(field)
}

// Returns the fields of the first sort keys, as long as they are of the row itself and have one direction: only those can
// be read in the order of an index. The id, which decides between equal records, is left out.
function sortedFields(order: readonly OrderKey[]): readonly ResourceField[] {
  const [first] = order
  const end = order.findIndex(
    ({ through, field, direction }) => through.length > 0 || direction !== first?.direction || !isIndexable(field),
  )
  const served = end === -1 ? order : order.slice(0, end)
  return served.map(({ field }) => field).filter(({ name }) => name !== "id")
}

function namesOf(fields: readonly ResourceField[]): string[] {
  return [...new Set(fields.map(({ name }) => name))].slice(0, MAX_FIELDS)
}

// A read by ids uses the primary key.
function canLackIndex({ equal, ranges, contained, order }: ReadShape): boolean {
  return !equal.includes("id") && [equal, ranges, contained, order].some((names) => names.length > 0)
}
