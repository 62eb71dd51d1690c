import type { ResourceField } from "../../schema/compile/resource.ts"
import { isMasked, maskedField, maskOf } from "./masked-field.ts"
import { both, isAlways, type Predicate } from "./predicate.ts"

/**
 * Returns the predicate for the rows that also satisfy the filter. The SQL of a virtual field is evaluated in `rows`
 * only: in other rows it may fail, which would leak that they exist and make the request fail for every caller.
 * Postgres may evaluate the conditions of an AND in any order, so a CASE is used. All other fields are compared without
 * a CASE, so that indexes apply.
 */
export function guardedFilter(rows: Predicate, filter: Predicate): Predicate {
  return both(rows, guardComparisons(filter, rows))
}

/**
 * Returns the field; a virtual field's SQL is then evaluated in these rows only, and its value is null in all other
 * rows.
 */
export function guardedField(rows: Predicate, field: ResourceField): ResourceField {
  if (isAlways(rows) || field.type.expression === undefined) return field
  return maskedField(field, both(rows, maskOf(field)))
}

// Guards the comparisons of a filter, except for those on related records: these are rows of another table, which has
// its own row restriction.
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

// Guards the comparisons in a field's rule too, because the rule may name a virtual field.
function withGuardedMask(field: ResourceField, rows: Predicate): ResourceField {
  return isMasked(field) ? maskedField(field, guardComparisons(field.mask, rows)) : field
}
