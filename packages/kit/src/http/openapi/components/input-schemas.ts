import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { componentName } from "./component-names.ts"
import type { SchemaContext } from "./described-fields.ts"

/** Returns a reference to the schema of the input of a create. */
export function createSchema({ components, described }: SchemaContext): JsonSchema {
  return components.refer(componentName(described.resource, "Create"), () => ({ type: "object" }))
}

/** Returns a reference to the schema of the input of an update. */
export function updateSchema({ components, described }: SchemaContext): JsonSchema {
  return components.refer(componentName(described.resource, "Update"), () => ({ type: "object" }))
}
