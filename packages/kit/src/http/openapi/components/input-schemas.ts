import { inputSchema } from "../../../schema/json-schema/input-schema.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { componentName } from "./component-names.ts"
import { type SchemaContext, writableFields } from "./described-fields.ts"
import { documentSchema } from "./value-schemas.ts"

/** Returns a reference to the schema of the input of a create. */
export function createSchema({ components, described }: SchemaContext): JsonSchema {
  const { resource } = described
  return components.refer(componentName(resource, "Create"), () => {
    const fields = new Set(writableFields(described, "create"))
    return documentSchema(inputSchema(resource, { fields, operation: "insert" }), components)
  })
}

/** Returns a reference to the schema of the input of an update. */
export function updateSchema({ components, described }: SchemaContext): JsonSchema {
  const { resource } = described
  return components.refer(componentName(resource, "Update"), () => {
    const fields = new Set(writableFields(described, "update"))
    return documentSchema(inputSchema(resource, { fields, operation: "update" }), components)
  })
}
