import type { ToManyRelation } from "../../schema/compile/resource.ts"
import { maskOf } from "./masked-field.ts"
import { both, NEVER, type Predicate, predicateOf, type Visibility } from "./predicate.ts"

/**
 * Returns the predicate for the related rows of a to-many relation that are visible to the caller. Rows whose foreign
 * key is hidden by a field rule are left out, because their presence would leak the hidden value. A foreign key that is
 * declared `hidden` has no rule: an author who declares a relation through it wants the related rows to be visible.
 */
export function visibleRows(relation: ToManyRelation, visibility: Visibility): Predicate {
  const readable = predicateOf(visibility.rows(relation.target))
  if (relation.kind !== "hasMany") return readable
  const via = visibility.fields(relation.target).get(relation.via.name)
  if (via !== undefined) return both(readable, maskOf(via))
  return relation.via.hidden ? readable : NEVER
}
