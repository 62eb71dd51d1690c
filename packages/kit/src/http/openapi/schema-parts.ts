import type { JsonSchema } from "../../wire/results/json-schema.ts"

export const TEXT: JsonSchema = Object.freeze({ type: "string" })
export const TEXT_OR_NULL: JsonSchema = Object.freeze({ type: ["string", "null"] })
export const FLAG: JsonSchema = Object.freeze({ type: "boolean" })
export const WHOLE_NUMBER: JsonSchema = Object.freeze({ type: "integer" })
export const MOMENT: JsonSchema = Object.freeze({ type: "string", format: "date-time" })
export const ID: JsonSchema = Object.freeze({ type: "string", format: "uuid" })
export const ANYTHING: JsonSchema = Object.freeze({})
export const ANY_OBJECT: JsonSchema = Object.freeze({ type: "object", additionalProperties: true })
export const SUCCESS: JsonSchema = objectOf({ success: { const: true } })

/** Returns the schema of an object. Members whose name ends with a question mark are optional. */
export function objectOf(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ""), schema] as const)
  const required = Object.keys(members).filter((name) => !name.endsWith("?"))
  return { type: "object", properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) }
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items }
}

/** Returns the schema of an object whose members have names that are not known, and values of this schema. */
export function mapOf(values: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: values }
}

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] }
}
