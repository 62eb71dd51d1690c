import type { ToManyRelation } from "../schema/resource.ts"
import { maskOf } from "./masked-field.ts"
import { both, type Predicate, predicateOf, type Visibility } from "./predicate.ts"

/**
 * The rows of the target that a relation to many may show: those that the caller may read and, where these point
 * here in a field that some of them hide, only those that do not. The list would else tell what they hide.
 */
export function shownRows(relation: ToManyRelation, visibility: Visibility): Predicate {
  const readable = predicateOf(visibility.rows(relation.target))
  if (relation.kind !== "hasMany") return readable
  const via = visibility.fields(relation.target).get(relation.via.name)
  return via === undefined ? readable : both(readable, maskOf(via))
}
