import { JSON_SCHEMA_DIALECT, type JsonSchema } from "../../wire/results/json-schema.ts"
import { type Resource, type ResourceField, toManyOf } from "../compile/resource.ts"
import { nullable, objectSchema } from "./object-schema.ts"

/**
 * Returns the JSON Schema of a record in an answer without a selection: these fields of it. A field that only some
 * records show to the caller is not required.
 */
export function recordSchema(resource: Resource, fields: ReadonlySet<ResourceField>): JsonSchema {
  const shown = [...resource.fields.values()].filter((field) => fields.has(field) && !field.hidden)
  return { $schema: JSON_SCHEMA_DIALECT, ...objectSchema(shown.map(property)) }
}

function property(field: ResourceField) {
  const { output } = field.type.jsonSchema
  return {
    name: field.name,
    schema: canBeNull(field) ? nullable(output) : output,
    isRequired:
      toManyOf(field) === undefined && typeof field.access.read !== "function" && field.comparison === undefined,
  }
}

// A localized value may be missing in the locale of the request, whether or not the field is required.
function canBeNull(field: ResourceField): boolean {
  return toManyOf(field) === undefined && (!field.required || field.localized !== undefined)
}
