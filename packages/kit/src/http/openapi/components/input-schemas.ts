import { type ResourceField, toManyOf } from "../../../schema/compile/resource.ts"
import { CHECK_KEYWORDS } from "../../../schema/json-schema/checked-by-server.ts"
import { inputSchema } from "../../../schema/json-schema/input-schema.ts"
import { nullable } from "../../../schema/json-schema/object-schema.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { componentName } from "./component-names.ts"
import type { Components } from "./components.ts"
import { type SchemaContext, withDescription, writableFields } from "./described-fields.ts"
import { documentSchema } from "./value-schemas.ts"

/** Returns a reference to the schema of the input of a create. */
export function createSchema(context: SchemaContext): JsonSchema {
  const { components, described } = context
  const { resource } = described
  return components.refer(componentName(resource, "Create"), () => {
    const fields = new Set(writableFields(described, "create"))
    return documentInput(inputSchema(resource, { fields, operation: "insert" }), context)
  })
}

/** Returns a reference to the schema of the input of an update. */
export function updateSchema(context: SchemaContext): JsonSchema {
  const { components, described } = context
  const { resource } = described
  return components.refer(componentName(resource, "Update"), () => {
    const fields = new Set(writableFields(described, "update"))
    return documentInput(inputSchema(resource, { fields, operation: "update" }), context)
  })
}

// Relations have long schemas that differ in little, so they refer to a shared component.
function documentInput(schema: JsonSchema, { described: { resource }, components, texts }: SchemaContext): JsonSchema {
  // The cast is safe: `inputSchema` returns the schema of an object.
  const properties = Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>)
  const shared = properties.map(([name, property]) => {
    const field = resource.fields.get(name)
    const isKnown = field?.relation && resource.hooks.beforeValidate.length === 0
    const value = isKnown ? relationProperty(field, property, components) : documentSchema(property, components)
    return [name, field ? withDescription(value, field, texts) : value]
  })
  return { ...documentSchema({ ...schema, properties: {} }, components), properties: Object.fromEntries(shared) }
}

function relationProperty(field: ResourceField, property: JsonSchema, components: Components): JsonSchema {
  const marks = Object.fromEntries(CHECK_KEYWORDS.flatMap((name) => (name in property ? [[name, property[name]]] : [])))
  const relation = components.refer(relationName(field), () => documentSchema(field.type.jsonSchema.input, components))
  const value = field.required || toManyOf(field) ? relation : nullable(relation)
  return { ...value, ...("not" in property && { not: property["not"] }), ...marks }
}

// Collections whose clients choose the ids take other ids than those whose ids the server makes.
function relationName(field: ResourceField): string {
  const isMade = field.relation?.target.id.type.sqlType === "uuid"
  return `${toManyOf(field) ? "ToMany" : "ToOne"}${isMade ? "" : "ByText"}Input`
}
