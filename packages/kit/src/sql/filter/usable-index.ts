import type { Resource, ResourceField, ResourceIndex } from "../../schema/compile/resource.ts"
import { isMasked } from "./masked-field.ts"
import type { Predicate } from "./predicate.ts"

/** True if an index of the resource finds the rows with a value of the field, and has the values in order. */
export function hasUsableIndex({ indexes }: Resource, field: ResourceField): boolean {
  return isPlainColumn(field) && indexes.some((index) => leadsWith(index, field))
}

function leadsWith({ fields: [first], activeOnly, isOfTrigrams }: ResourceIndex, field: ResourceField): boolean {
  return !activeOnly && !isOfTrigrams && first?.name === field.name && chainOf(first) === chainOf(field)
}

// The index of a localized field has the values that a read in one locale returns.
function chainOf({ localized }: ResourceField): string | undefined {
  return localized?.chain.join()
}

/**
 * True if Postgres decides the predicate by the row alone, and by comparisons whose number of matching rows it can
 * estimate.
 */
export function isPlainFilter(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "all":
    case "any":
      return predicate.parts.every(isPlainFilter)
    case "not":
      return isPlainFilter(predicate.part)
    case "compare":
      return PLAIN_OPERATORS.has(predicate.operator.name) && isPlainColumn(predicate.field)
    case "related":
    case "some":
    case "text":
      return false
    default:
      return predicate satisfies never
  }
}

const PLAIN_OPERATORS: ReadonlySet<string> = new Set([
  ...["eq", "ne", "in", "notIn", "isNull", "isNotNull"],
  ...["gt", "gte", "lt", "lte", "between"],
])

function isPlainColumn(field: ResourceField): boolean {
  return field.isStored && !isMasked(field)
}
