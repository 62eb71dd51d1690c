import type { ResourceField } from "../../schema/compile/resource.ts"
import { isMasked, maskedField, maskOf } from "./masked-field.ts"
import { both, isAlways, type Predicate } from "./predicate.ts"

/**
 * Those of the rows that satisfy the filter. The SQL of a virtual field is evaluated in these rows alone: it may fail in
 * others, which would tell of them and be an error to everybody. Postgres evaluates the conditions of an AND in an order of
 * its own choice, but not the branches of a CASE. All other fields are compared as they are, so that indexes serve them.
 */
export function rowsAmong(rows: Predicate, filter: Predicate): Predicate {
  return both(rows, guarded(filter, rows))
}

/** The field with its SQL evaluated in these rows alone, if it is virtual; null stands in its place in others. */
export function evaluatedAmong(rows: Predicate, field: ResourceField): ResourceField {
  if (isAlways(rows) || field.type.expression === undefined) return field
  return maskedField(field, both(rows, maskOf(field)))
}

// Records at the other end of a relation are those of another table, and are guarded by their own rows.
function guarded(filter: Predicate, rows: Predicate): Predicate {
  if (isAlways(rows)) return filter
  switch (filter.kind) {
    case "all":
    case "any":
      return { ...filter, parts: filter.parts.map((part) => guarded(part, rows)) }
    case "not":
      return { ...filter, part: guarded(filter.part, rows) }
    case "compare":
      return { ...filter, field: evaluatedAmong(rows, withGuardedMask(filter.field, rows)) }
    default:
      return filter
  }
}

// The rule of a field may name a virtual one.
function withGuardedMask(field: ResourceField, rows: Predicate): ResourceField {
  return isMasked(field) ? maskedField(field, guarded(field.mask, rows)) : field
}
