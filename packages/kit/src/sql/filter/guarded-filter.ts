import type { ResourceField } from "../../schema/compile/resource.ts"
import { isMasked, maskedComparisons, maskedField, maskOf } from "./masked-field.ts"
import { both, isAlways, type Predicate } from "./predicate.ts"

/**
 * Returns the predicate that a row satisfies both the predicate `rows` and the filter. A virtual field in the filter is
 * evaluated only in rows that satisfy `rows`: in other rows its SQL may fail, which would leak that they exist and make
 * the request fail for every caller. A CASE ensures this, because Postgres may evaluate the conditions of an AND in any
 * order. Other fields are compared without a CASE, so that indexes apply.
 */
export function guardedFilter(rows: Predicate, filter: Predicate): Predicate {
  return both(rows, guardComparisons(filter, rows))
}

/**
 * Returns the field, or a replacement for a virtual field. The SQL of the replacement is evaluated only in rows that
 * satisfy the predicate `rows`; in all other rows the field is null.
 */
export function guardedField(rows: Predicate, field: ResourceField): ResourceField {
  const hasAuthorSql = field.type.expression !== undefined || maskedComparisons(field).length > 0
  if (isAlways(rows) || !hasAuthorSql) return field
  return maskedField(field, both(rows, maskOf(field)))
}

// Returns the filter, with its virtual fields evaluated only in rows that satisfy the predicate `rows`. Comparisons of
// related records stay as they are, because those records are in another table and have a row restriction of their own.
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
    case "text":
      return { ...filter, fields: filter.fields.map((field) => guardedField(rows, withGuardedMask(field, rows))) }
    default:
      return filter
  }
}

// The field rule that hides the field in some rows may name a virtual field too. That field is also evaluated only in
// rows that satisfy the predicate `rows`.
function withGuardedMask(field: ResourceField, rows: Predicate): ResourceField {
  return isMasked(field) ? maskedField(field, guardComparisons(field.mask, rows)) : field
}
