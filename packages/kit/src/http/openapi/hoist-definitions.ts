import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { Components } from "./components/components.ts"

interface Destination {
  /** The beginning of the names that the definitions get as components. */
  readonly prefix: string
  readonly components: Components
}

/**
 * Returns the schema without definitions of its own: they become components, because a reference in the document starts
 * at the document and not at the schema. So does every other part of the schema to which a reference leads, and the whole
 * schema if it refers to itself. A reference that leads to no part of the schema allows everything.
 */
export function hoistDefinitions(schema: JsonSchema, { prefix, components }: Destination): JsonSchema {
  const names = new Map<string, string>()
  const refer = (reference: string): JsonSchema => {
    const path = pathOf(reference)
    const found = path && partAt(schema, path)
    if (path === undefined || found === undefined) return {}
    const name = names.get(reference) ?? components.freeName([prefix, ...nameParts(path)].map(componentPart).join("."))
    names.set(reference, name)
    return components.refer(name, () => rewritten(path.length === 0 ? withoutDefinitions(schema) : found))
  }
  // The cast is safe: a rewritten object is an object.
  const rewritten = (value: unknown) => rewrite(value, refer) as JsonSchema
  return rewritten(withoutDefinitions(schema))
}

function withoutDefinitions({ $defs: _defs, definitions: _definitions, $id: _id, ...rest }: JsonSchema): JsonSchema {
  return rest
}

// Returns the names of the members on the way to a part of the same schema. Returns undefined for other references: an
// anchor, or the address of another schema.
function pathOf(reference: string): readonly string[] | undefined {
  if (reference === "#") return []
  if (!reference.startsWith("#/")) return undefined
  const parts = reference.slice(2).split("/")
  try {
    return parts.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
  } catch {
    return undefined
  }
}

function partAt(schema: JsonSchema, path: readonly string[]): unknown {
  let part: unknown = schema
  for (const name of path) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined
    part = (part as Readonly<Record<string, unknown>>)[name]
  }
  return part
}

// A definition is named after itself, every other part after its whole path.
function nameParts(path: readonly string[]): readonly string[] {
  const [first = ""] = path
  return path.length === 2 && (first === "$defs" || first === "definitions") ? path.slice(1) : path
}

// Returns a name in the letters that the name of a component may have.
function componentPart(name: string): string {
  return name.replace(/[^\w.-]/g, "_")
}

function rewrite(value: unknown, refer: (reference: string) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, refer))
  if (typeof value !== "object" || value === null) return value
  const { $ref, ...rest } = value as { readonly $ref?: unknown }
  const isReference = typeof $ref === "string"
  const entries = Object.entries(isReference ? rest : value)
  const copy = Object.fromEntries(entries.map(([name, member]) => [name, rewrite(member, refer)]))
  return isReference ? { ...refer($ref), ...copy } : copy
}
