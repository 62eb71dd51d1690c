import type { JsonSchema } from "../../wire/results/json-schema.ts"

/**
 * The reason why a JSON Schema cannot decide whether the server accepts a value:
 * - `function`: code of the author decides, such as a validation, a hook or the function of a default
 * - `unique`: no other record may have the value
 * - `id`: no two items of a list of blocks may have the same id
 * - `relation`: the related record has to exist, and the records of nested writes have their own checks
 * - `rule`: an access rule decides
 * - `pattern`: a regular expression that JSON Schema cannot express
 * - `scale`: the digits of a number after the point, which validators compute with rounding errors
 * - `domain`: an internationalized domain name in a URL
 */
export type ServerCheck = "function" | "unique" | "id" | "relation" | "rule" | "pattern" | "scale" | "domain"

/** The keywords by which a schema says that the server checks more than the schema does. */
export const CHECK_KEYWORDS = ["x-kit-checked", "x-kit-checks"] as const

/** Returns the schema with a mark that lists what only the server checks. Without such checks, returns it unchanged. */
export function checkedByServer(schema: JsonSchema, checks: readonly ServerCheck[]): JsonSchema {
  if (checks.length === 0) return schema
  // The cast is safe: only this function sets the keyword.
  const earlier = (schema["x-kit-checks"] ?? []) as readonly ServerCheck[]
  return Object.freeze({
    ...schema,
    "x-kit-checked": "server",
    "x-kit-checks": [...new Set([...earlier, ...checks])],
  })
}
