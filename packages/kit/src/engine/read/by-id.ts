import { isProblem } from "../../schema/compile/field-type.ts"
import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"

/** Returns a predicate that matches the row with this id. */
export function byId(resource: Resource, id: string): Predicate {
  const operator = operatorsOf("id").get("eq")
  if (operator === undefined) throw new Error("The operator table has no equality.")
  return { kind: "compare", field: resource.id, operator, operand: id }
}

/** Returns a predicate that matches the rows with these ids. */
export function byIds(resource: Resource, ids: readonly string[]): Predicate {
  const operator = operatorsOf("id").get("in")
  if (operator === undefined) throw new Error("The operator table has no lists.")
  return { kind: "compare", field: resource.id, operator, operand: ids }
}

/** Returns the id in the form in which the database stores it. Returns undefined if the value cannot be an id. */
export function storedId(resource: Resource, id: unknown): string | undefined {
  const parsed = resource.id.type.parse(id)
  return isProblem(parsed) ? undefined : String(parsed.value)
}

/**
 * Returns the id in the form in which the database stores it. Throws NOT_FOUND, without a query, if the value cannot be
 * an id.
 */
export function requireId(resource: Resource, id: unknown): string {
  const stored = storedId(resource, id)
  if (stored !== undefined) return stored
  throw recordNotFound(resource, id)
}

/**
 * Returns the id for rules and hooks, in the form in which the database stores it, because callers may spell an id in
 * several ways.
 */
export function canonicalId(resource: Resource, id: unknown): string {
  return storedId(resource, id) ?? String(id)
}

/** Returns a key for a record that is unique across all collections. An id is unique only within its collection. */
export function recordKey({ table }: Pick<Resource, "table">, id: string): string {
  return `${table} ${id}`
}

// An id in a NOT_FOUND error is cut off after this many characters.
const MAX_ID_LENGTH = 200

export function recordNotFound(resource: Resource, id: unknown): ApiError {
  if (resource.kind === "global") {
    const message = `The global "${resource.name}" has not been written yet. Update it first.`
    return new ApiError("NOT_FOUND", { message, context: { global: resource.name } })
  }
  return new ApiError("NOT_FOUND", { context: { collection: resource.name, id: String(id).slice(0, MAX_ID_LENGTH) } })
}

/**
 * Checks the id in a request about a global's record. The id may be left out, because a global has only one record.
 * Throws NOT_FOUND for the id of another record.
 */
export function checkGlobalId(resource: Resource, id: unknown): void {
  if (id === undefined) return
  const stored = storedId(resource, id)
  if (stored === GLOBAL_ROW_ID) return
  const remedy = `Leave it out: the only record of a global has the id ${GLOBAL_ROW_ID}.`
  if (stored === undefined) throw invalid("id", `Expected the id of a record. ${remedy}`)
  const message = `The global "${resource.name}" has no record with this id. ${remedy}`
  throw new ApiError("NOT_FOUND", { message, context: { global: resource.name } })
}
