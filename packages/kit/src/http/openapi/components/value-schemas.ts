import { vocabularyNamedIn } from "../../../schema/json-schema/json-definitions.ts"
import { richTextVocabulary } from "../../../schema/rich-text/vocabulary.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import type { RichTextVocabulary } from "../../../wire/results/rich-text.ts"
import { ANY_OBJECT, listOf, objectOf } from "../schema-parts.ts"
import type { Components } from "./components.ts"

/**
 * Returns a schema of values as a part of the document: without a dialect of its own, and without the definitions of
 * JSON values and rich text. These count the levels of nesting, which would be dozens of types in a client.
 */
export function documentSchema(schema: JsonSchema, components: Components): JsonSchema {
  const { $schema: _, $defs: __, ...rest } = schema
  // The cast is safe: `rewrite` returns an object for an object that is not a reference.
  return rewrite(rest, components) as JsonSchema
}

function rewrite(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, components))
  if (typeof value !== "object" || value === null) return value
  if ("$ref" in value) return sharedSchema(String(value.$ref), components)
  const members = Object.entries(value)
  // Many tools read an object without members as one that must be empty.
  if (members.length === 1 && "type" in value && value.type === "object") return ANY_OBJECT
  return Object.fromEntries(members.map(([name, part]) => [name, rewrite(part, components)]))
}

function sharedSchema(reference: string, components: Components): JsonSchema {
  if (/\/richText(:|$)/.test(reference)) return richTextSchema(vocabularyNamedIn(reference), components)
  return components.refer("Json", () => ({ description: "Any JSON value." }))
}

// A rich text with the default vocabulary is a component, because most are.
function richTextSchema(vocabulary: RichTextVocabulary, components: Components): JsonSchema {
  const schema = () => {
    const { nodes, marks } = vocabulary
    const description = `A document of ProseMirror. Its nodes: ${nodes.join(", ")}. Its marks: ${marks.join(", ") || "none"}.`
    return {
      ...objectOf({ type: { const: "doc" }, content: listOf(objectOf({ type: { enum: nodes } })) }),
      description,
    }
  }
  return vocabulary === richTextVocabulary ? components.refer("RichText", schema) : schema()
}
