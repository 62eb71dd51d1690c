import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { Components } from "./components/components.ts"

interface Destination {
  /** The beginning of the names that the definitions get as components. */
  readonly prefix: string
  readonly components: Components
}

const LOCAL = /^#(?:\/(?:\$defs|definitions)\/(.+))?$/

/**
 * Returns the schema without definitions of its own: they become components, because a reference in the document starts
 * at the document and not at the schema. A reference of the schema to itself makes a component of the whole schema.
 */
export function hoistDefinitions(schema: JsonSchema, { prefix, components }: Destination): JsonSchema {
  const { $defs, definitions, ...rest } = schema
  const local = { ...asSchemas(definitions), ...asSchemas($defs) }
  const refer = (name: string | undefined): JsonSchema =>
    name === undefined
      ? components.refer(prefix, () => rewritten(rest))
      : components.refer(`${prefix}.${componentPart(name)}`, () => rewritten(local[name] ?? {}))
  const rewritten = (value: JsonSchema) => rewrite(value, refer) as JsonSchema
  return rewritten(rest)
}

function asSchemas(value: unknown): Readonly<Record<string, JsonSchema>> {
  // The cast is safe: the definitions of a JSON Schema are an object of schemas.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, JsonSchema>>) : {}
}

// Returns the name of a definition in the letters that the name of a component may have.
function componentPart(name: string): string {
  return name.replace(/[^\w.-]/g, "_")
}

function rewrite(value: unknown, refer: (name: string | undefined) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, refer))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value)
  const { $ref } = value as { readonly $ref?: unknown }
  const found = typeof $ref === "string" ? LOCAL.exec($ref) : null
  const kept = found ? entries.filter(([name]) => name !== "$ref") : entries
  const copy = Object.fromEntries(kept.map(([name, member]) => [name, rewrite(member, refer)]))
  return found ? { ...refer(found[1]), ...copy } : copy
}
