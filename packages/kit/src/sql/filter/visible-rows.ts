import type { ToManyRelation } from "../../schema/compile/resource.ts"
import { maskOf } from "./masked-field.ts"
import { both, NEVER, type Predicate, predicateOf, type Visibility } from "./predicate.ts"

/**
 * Returns the target rows of a to-many relation that are visible to the caller. A row whose foreign key a field rule
 * hides is left out; otherwise membership in the list would leak the hidden value. A field that is declared `hidden`
 * has no rule: an author who declares a relation through it wants the list to be visible.
 */
export function visibleRows(relation: ToManyRelation, visibility: Visibility): Predicate {
  const readable = predicateOf(visibility.rows(relation.target))
  if (relation.kind !== "hasMany") return readable
  const via = visibility.fields(relation.target).get(relation.via.name)
  if (via !== undefined) return both(readable, maskOf(via))
  return relation.via.hidden ? readable : NEVER
}
