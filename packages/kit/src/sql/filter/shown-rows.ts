import type { ToManyRelation } from "../../schema/compile/resource.ts"
import { maskOf } from "./masked-field.ts"
import { both, NEVER, type Predicate, predicateOf, type Visibility } from "./predicate.ts"

/**
 * The rows of the target that a relation to many may show: those that the caller may read and, where these point
 * here in a field that a rule hides in some or all of them, only those that do not. The list would else tell what they
 * hide. One that is hidden from everybody has no rule: whoever declares a list of it means it to be seen.
 */
export function shownRows(relation: ToManyRelation, visibility: Visibility): Predicate {
  const readable = predicateOf(visibility.rows(relation.target))
  if (relation.kind !== "hasMany") return readable
  const via = visibility.fields(relation.target).get(relation.via.name)
  if (via !== undefined) return both(readable, maskOf(via))
  return relation.via.hidden ? readable : NEVER
}
