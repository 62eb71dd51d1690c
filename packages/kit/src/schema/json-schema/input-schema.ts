import { JSON_SCHEMA_DIALECT, type JsonSchema } from "../../wire/results/json-schema.ts"
import { isRequiredInLocale, isUpdatable, isWritable, type Resource, type ResourceField } from "../compile/resource.ts"
import { checkedByServer, type ServerCheck } from "./checked-by-server.ts"
import { withDefinitions } from "./json-definitions.ts"
import { nullable, objectSchema, withoutNull } from "./object-schema.ts"

/** The write whose input a schema describes. */
interface DescribedInput {
  /** The fields that the caller may write. Fields that no caller may write are left out in any case. */
  readonly fields: ReadonlySet<ResourceField>
  /** An `insert` creates the record; it is the first write of a global, too. An `update` changes an existing record. */
  readonly operation: "insert" | "update"
}

/**
 * Returns the JSON Schema of the input of a write, in the locale of the resource. It accepts every input that the
 * server accepts. The server may refuse an input that it accepts only where a mark says so.
 */
export function inputSchema(resource: Resource, { fields, operation }: DescribedInput): JsonSchema {
  const written = [...resource.fields.values()].filter(
    (field) => fields.has(field) && (operation === "insert" ? isWritable(field) : isUpdatable(resource, field)),
  )
  const describe = resource.hooks.beforeValidate.length > 0 ? hookedProperty : checkedProperty
  const record = objectSchema(written.map((field) => describe(field, operation)))
  const schema = { $schema: JSON_SCHEMA_DIALECT, ...record }
  return withDefinitions(checkedByServer(schema, checksOfResource(resource, operation)))
}

// A hook may fill and replace every value before it is checked, so that nothing is known of the values that are sent.
function hookedProperty({ name }: ResourceField) {
  return { name, schema: checkedByServer({}, ["function"]), isRequired: false }
}

function checkedProperty(field: ResourceField, operation: DescribedInput["operation"]) {
  return {
    name: field.name,
    schema: checkedByServer(valueSchema(field, operation), checksOfField(field, operation)),
    isRequired: operation === "insert" && field.required && field.default === undefined,
  }
}

// Relations to many records are never null, and have no value to be empty.
function valueSchema(field: ResourceField, operation: DescribedInput["operation"]): JsonSchema {
  const { input } = field.type.jsonSchema
  const isFilled = operation === "insert" ? field.required : isRequiredInLocale(field)
  if (isFilled) return field.relation === undefined ? withoutNull(input) : withoutDisconnect(input)
  return field.isStored ? nullable(input) : input
}

// Removes the operation that empties a relation.
function withoutDisconnect(schema: JsonSchema): JsonSchema {
  return { ...schema, not: { type: "object", properties: { disconnect: {} }, required: ["disconnect"] } }
}

// An id that the caller chooses is unique, too. No other field has a type with this name.
function isUnique({ unique, type }: ResourceField): boolean {
  return unique || type.name === "id"
}

function checksOfField(field: ResourceField, operation: DescribedInput["operation"]): ServerCheck[] {
  const { validations, access } = field
  const rule = operation === "insert" ? access.create : access.update
  const isMade = operation === "insert" && field.required && typeof field.default === "function"
  return [
    ...(validations.length > 0 || isMade ? (["function"] as const) : []),
    ...(isUnique(field) ? (["unique"] as const) : []),
    ...(typeof rule === "function" ? (["rule"] as const) : []),
  ]
}

function checksOfResource({ hooks, access, indexes }: Resource, operation: DescribedInput["operation"]): ServerCheck[] {
  const isHooked = hooks.beforeValidate.length + hooks.beforeChange.length + hooks.afterChange.length > 0
  const rule = operation === "insert" ? access.create : access.update
  return [
    ...(isHooked ? (["function"] as const) : []),
    ...(indexes.some(({ unique, fields }) => unique && fields.length > 1) ? (["unique"] as const) : []),
    ...(typeof rule === "function" ? (["rule"] as const) : []),
  ]
}
