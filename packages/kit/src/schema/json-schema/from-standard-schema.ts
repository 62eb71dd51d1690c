import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { StandardSchema } from "../compile/validation.ts"

/** The part of Standard JSON Schema that kit uses. A library may throw if it cannot express a schema. */
interface JsonSchemaConverter {
  readonly input?: (options: ConverterOptions) => unknown
  readonly output?: (options: ConverterOptions) => unknown
}

interface ConverterOptions {
  readonly target: "draft-2020-12"
}

/** A schema of Zod 4 before Zod implemented Standard JSON Schema. */
interface ConvertibleSchema {
  toJSONSchema?(options: ConverterOptions & { readonly io: "input" | "output" }): unknown
}

const OPTIONS: ConverterOptions = { target: "draft-2020-12" }

/**
 * Returns the JSON Schema of an author's schema, without `$schema`: of the values that it accepts, or of those that it
 * returns. Returns undefined if its library cannot give one.
 *
 * The result describes the schema, but is not exact: libraries leave out what JSON Schema cannot express, such as a
 * refinement by a function, the flags of a regular expression, or a coercion.
 */
export function jsonSchemaOf(schema: StandardSchema, direction: "input" | "output"): JsonSchema | undefined {
  try {
    return withoutDialect(convert(schema, direction))
  } catch {
    // Libraries throw if JSON Schema cannot express a schema, such as a transformation.
    return undefined
  }
}

function convert(schema: StandardSchema, direction: "input" | "output"): unknown {
  // The casts are safe: each member is checked before it is used.
  const standard = schema["~standard"] as { readonly jsonSchema?: JsonSchemaConverter }
  const converter = standard.jsonSchema
  if (typeof converter?.[direction] === "function") return converter[direction](OPTIONS)
  const convertible = schema as ConvertibleSchema
  if (typeof convertible.toJSONSchema !== "function") return undefined
  return convertible.toJSONSchema({ ...OPTIONS, io: direction })
}

function withoutDialect(converted: unknown): JsonSchema | undefined {
  if (typeof converted !== "object" || converted === null || Array.isArray(converted)) return undefined
  // The cast is safe: the value is an object, and its properties are unknown.
  const { $schema: _dialect, ...schema } = converted as Record<string, unknown>
  return schema
}
