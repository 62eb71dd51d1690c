import type { FieldError } from "../../wire/errors/api-error.ts"
import type { StandardSchema } from "../compile/validation.ts"

type ParsedBySchema = { readonly value: unknown } | { readonly fieldErrors: readonly FieldError[] }

/** Returns a schema's output for a value, or the validation errors by their paths within the value. */
export async function parseBySchema(schema: StandardSchema, value: unknown): Promise<ParsedBySchema> {
  const result = await schema["~standard"].validate(value)
  if (result.issues === undefined) return { value: result.value }
  return { fieldErrors: result.issues.map(({ message, path = [] }) => ({ path: path.map(keyOf).join("."), message })) }
}

// Returns the key of a segment in a Standard Schema error path. A segment is the key itself, or an object with a key.
function keyOf(segment: unknown): string {
  return String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment)
}
