import type { JsonSchema } from "../../wire/results/json-schema.ts"

/** A property of an object in a JSON Schema. */
export interface Property {
  readonly name: string
  readonly schema: JsonSchema
  /** True if an object without the property is not valid. */
  readonly isRequired: boolean
}

/** Returns the schema of an object that has no other properties than these. */
export function objectSchema(properties: readonly Property[]): JsonSchema {
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return Object.freeze({
    type: "object",
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  })
}

/** Returns a schema that also accepts null. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema
  const { "x-kit-checked": checked, "x-kit-checks": checks, ...rest } = schema
  // The marks stay outside, where a reader of the schema finds them.
  return Object.freeze({
    anyOf: [rest, { type: "null" }],
    ...(checked !== undefined && { "x-kit-checked": checked, "x-kit-checks": checks }),
  })
}

/** Returns a schema that accepts the same values, except null. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  // Only a JSON value, which is a reference, can be null itself.
  return "$ref" in schema ? Object.freeze({ ...schema, not: { type: "null" } }) : schema
}
