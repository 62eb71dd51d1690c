import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { STORABLE_TEXT } from "./text-patterns.ts"

/** The deepest level of a JSON value. The value itself is at level 0. */
export const JSON_MAX_DEPTH = 20

/**
 * The deepest level of a node in a rich text document. The document itself is at level 0. Even with attributes, a
 * document of this depth is within the limit for JSON requests.
 */
export const RICH_TEXT_MAX_DEPTH = 12

const DEFINITIONS = "#/$defs/"
const TEXT: JsonSchema = { type: "string", pattern: STORABLE_TEXT }
const NAME: JsonSchema = { type: "string", minLength: 1, pattern: STORABLE_TEXT }

/** A JSON value that may still be nested `depth` levels deep. */
export function jsonReference(depth: number): JsonSchema {
  return { $ref: `${DEFINITIONS}json${depth}` }
}

export const RICH_TEXT_REFERENCE: JsonSchema = { $ref: `${DEFINITIONS}richText` }

/** Returns the schema with the definitions to which it refers, directly or through other definitions. */
export function withDefinitions(schema: JsonSchema): JsonSchema {
  const used: Record<string, JsonSchema> = {}
  const waiting = referencesIn(schema)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (Object.hasOwn(used, name)) continue
    const definition = definitionOf(name)
    used[name] = definition
    waiting.push(...referencesIn(definition))
  }
  return Object.keys(used).length === 0 ? schema : { ...schema, $defs: used }
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === "$ref" && typeof part === "string" ? [part.slice(DEFINITIONS.length)] : referencesIn(part),
  )
}

function definitionOf(name: string): JsonSchema {
  if (name === "richText") return documentSchema
  if (name === "richTextMark") return markSchema
  const depth = Number(/\d+$/.exec(name)?.[0])
  return name.startsWith("json") ? jsonSchema(depth) : nodeSchema(depth)
}

function jsonSchema(depth: number): JsonSchema {
  const array = depth === 0 ? { maxItems: 0 } : { items: jsonReference(depth - 1) }
  const scalars = [TEXT, { type: "number" }, { type: "boolean" }, { type: "null" }]
  return { anyOf: [...scalars, { type: "array", ...array }, jsonObject(depth)] }
}

/** A JSON object that may still be nested `depth` levels deep. */
export function jsonObject(depth: number): JsonSchema {
  const members = depth === 0 ? { maxProperties: 0 } : { additionalProperties: jsonReference(depth - 1) }
  return { type: "object", propertyNames: TEXT, ...members }
}

// The server parses the attributes of a node, and its marks, as parts of one JSON value: the attributes of a node are
// at its level 1, those of a mark at its level 3.
const nodeAttributes = { anyOf: [jsonObject(JSON_MAX_DEPTH - 1), { type: "null" }] }
const markAttributes = { anyOf: [jsonObject(JSON_MAX_DEPTH - 3), { type: "null" }] }

const markSchema: JsonSchema = {
  type: "object",
  properties: { type: NAME, attrs: markAttributes },
  required: ["type"],
  additionalProperties: false,
}

function nodeProperties(depth: number) {
  const content = depth === 0 ? { maxItems: 0 } : { items: { $ref: `${DEFINITIONS}richTextNode${depth - 1}` } }
  return {
    attrs: nodeAttributes,
    content: { type: "array", ...content },
    marks: { type: "array", items: { $ref: `${DEFINITIONS}richTextMark` } },
  }
}

const documentSchema: JsonSchema = {
  type: "object",
  properties: { type: { const: "doc" }, ...nodeProperties(RICH_TEXT_MAX_DEPTH) },
  required: ["type", "content"],
  additionalProperties: false,
}

// A node of the type "text" has a text, and no other node has one. The properties stand outside of the condition, so
// that a validator looks at the content once, and not once more at each level.
function nodeSchema(depth: number): JsonSchema {
  return {
    type: "object",
    properties: { type: NAME, text: NAME, ...nodeProperties(depth) },
    required: ["type"],
    additionalProperties: false,
    if: { properties: { type: { const: "text" } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: { text: {} }, required: ["text"] },
    else: { properties: { text: false } },
  }
}
