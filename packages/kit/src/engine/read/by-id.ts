import { isProblem } from "../../schema/compile/field-type.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

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

/** The id as it is stored; undefined for what cannot be the id of a record. */
export function storedId(resource: Resource, id: unknown): string | undefined {
  const parsed = resource.id.type.parse(id)
  return isProblem(parsed) ? undefined : String(parsed.value)
}

/** A text that is no id cannot be the id of a record: there is nothing to look up. */
export function findableId(resource: Resource, id: unknown): string {
  const stored = storedId(resource, id)
  if (stored !== undefined) return stored
  throw recordNotFound(resource, id)
}

/** The id as rules and hooks are told of it: a caller may spell one in several ways. */
export function toldId(resource: Resource, id: unknown): string {
  return storedId(resource, id) ?? String(id)
}

/** Tells a record from every other one: two collections may have the same id. */
export function recordKey({ table }: Resource, id: string): string {
  return `${table} ${id}`
}

// As long as an id can be.
const MAX_TOLD = 200

export function recordNotFound(resource: Resource, id: unknown): ApiError {
  if (resource.kind === "global") {
    const message = `The global "${resource.name}" has not been written yet. Update it first.`
    return new ApiError("NOT_FOUND", { message, context: { global: resource.name } })
  }
  return new ApiError("NOT_FOUND", { context: { collection: resource.name, id: String(id).slice(0, MAX_TOLD) } })
}
