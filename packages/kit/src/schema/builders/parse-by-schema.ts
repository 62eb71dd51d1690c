import type { FieldError } from "../../wire/errors/api-error.ts"
import type { StandardResult, StandardSchema } from "../compile/validation.ts"

export type ParsedBySchema = { readonly value: unknown } | { readonly fieldErrors: readonly FieldError[] }

/** Returns the output of a schema for a value, or its errors by path. */
export function parseBySchema(schema: StandardSchema, value: unknown): ParsedBySchema | Promise<ParsedBySchema> {
  const result = schema["~standard"].validate(value)
  return result instanceof Promise ? result.then(toParsed) : toParsed(result)
}

function toParsed(result: StandardResult): ParsedBySchema {
  if (result.issues === undefined) return { value: result.value }
  return { fieldErrors: result.issues.map(({ message, path = [] }) => ({ path: path.map(keyOf).join("."), message })) }
}

// A path segment is a key, or an object with a key (Standard Schema).
function keyOf(segment: unknown): string {
  return String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment)
}
