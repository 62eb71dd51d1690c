import { isProblem } from "../../schema/compile/field-type.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

/** Matches the row with this id. */
export function byId(resource: Resource, id: string): Predicate {
  const operator = operatorsOf("id").get("eq")
  if (operator === undefined) throw new Error("The operator table has no equality.")
  return { kind: "compare", field: resource.id, operator, operand: id }
}

/** Matches the rows with these ids. */
export function byIds(resource: Resource, ids: readonly string[]): Predicate {
  const operator = operatorsOf("id").get("in")
  if (operator === undefined) throw new Error("The operator table has no lists.")
  return { kind: "compare", field: resource.id, operator, operand: ids }
}

/** Returns the id in its stored form; undefined if the value cannot be an id. */
export function storedId(resource: Resource, id: unknown): string | undefined {
  const parsed = resource.id.type.parse(id)
  return isProblem(parsed) ? undefined : String(parsed.value)
}

/** Returns the id in its stored form. Throws NOT_FOUND without a query if the value cannot be an id. */
export function requireId(resource: Resource, id: unknown): string {
  const stored = storedId(resource, id)
  if (stored !== undefined) return stored
  throw recordNotFound(resource, id)
}

/** Returns the id that rules and hooks receive, in its stored form: a caller may spell an id in several ways. */
export function canonicalId(resource: Resource, id: unknown): string {
  return storedId(resource, id) ?? String(id)
}

/** Returns a key that is unique across all collections; an id alone is not. */
export function recordKey({ table }: Resource, id: string): string {
  return `${table} ${id}`
}

// The maximum length of an id.
const MAX_ID_LENGTH = 200

export function recordNotFound(resource: Resource, id: unknown): ApiError {
  if (resource.kind === "global") {
    const message = `The global "${resource.name}" has not been written yet. Update it first.`
    return new ApiError("NOT_FOUND", { message, context: { global: resource.name } })
  }
  return new ApiError("NOT_FOUND", { context: { collection: resource.name, id: String(id).slice(0, MAX_ID_LENGTH) } })
}
