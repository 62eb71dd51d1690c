import { isId } from "../schema/fields/relation.ts"
import type { Resource } from "../schema/resource.ts"
import { operatorsOf } from "../sql/operators.ts"
import type { Predicate } from "../sql/predicate.ts"
import { ApiError } from "../wire/api-error.ts"

/** The row with this id. */
export function byId(resource: Resource, id: string): Predicate {
  const operator = operatorsOf("id").get("eq")
  if (operator === undefined) throw new Error("The operator table has no equality.")
  return { kind: "compare", field: resource.id, operator, operand: id }
}

/** The rows with these ids. */
export function byIds(resource: Resource, ids: readonly string[]): Predicate {
  const operator = operatorsOf("id").get("in")
  if (operator === undefined) throw new Error("The operator table has no lists.")
  return { kind: "compare", field: resource.id, operator, operand: ids }
}

/** A text that is no id cannot be the id of a record: there is nothing to look up. */
export function findableId(resource: Resource, id: unknown): string {
  if (isId(id)) return id.toLowerCase()
  throw recordNotFound(resource, id)
}

export function recordNotFound(resource: Resource, id: unknown): ApiError {
  return new ApiError("NOT_FOUND", { context: { collection: resource.name, id: String(id).slice(0, 64) } })
}
