import type { ResourceField } from "../../schema/compile/resource.ts"
import { isMasked, maskedField, maskOf } from "./masked-field.ts"
import { both, isAlways, type Predicate } from "./predicate.ts"

/**
 * Returns the predicate for those of the `rows` that satisfy the filter. The SQL of a virtual field is evaluated in
 * these rows only: in other rows it may fail, which would leak that they exist and make the request fail for every
 * caller. A CASE ensures this, because Postgres may evaluate the conditions of an AND in any order. Other fields are
 * compared without a CASE, so that indexes apply.
 */
export function guardedFilter(rows: Predicate, filter: Predicate): Predicate {
  return both(rows, guardComparisons(filter, rows))
}

/**
 * Returns the field. If the field is virtual, its SQL is evaluated in these rows only, and it is null in all other
 * rows.
 */
export function guardedField(rows: Predicate, field: ResourceField): ResourceField {
  if (isAlways(rows) || field.type.expression === undefined) return field
  return maskedField(field, both(rows, maskOf(field)))
}

// Limits the filter's comparisons of virtual fields to these rows. Comparisons on related records stay as they are,
// because another table's rows have a row restriction of their own.
function guardComparisons(filter: Predicate, rows: Predicate): Predicate {
  if (isAlways(rows)) return filter
  switch (filter.kind) {
    case "all":
    case "any":
      return { ...filter, parts: filter.parts.map((part) => guardComparisons(part, rows)) }
    case "not":
      return { ...filter, part: guardComparisons(filter.part, rows) }
    case "compare":
      return { ...filter, field: guardedField(rows, withGuardedMask(filter.field, rows)) }
    default:
      return filter
  }
}

// Limits the comparisons in a field's rule to these rows too, because the rule may name a virtual field.
function withGuardedMask(field: ResourceField, rows: Predicate): ResourceField {
  return isMasked(field) ? maskedField(field, guardComparisons(field.mask, rows)) : field
}
