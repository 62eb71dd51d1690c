import type { JsonSchema } from "../../wire/results/json-schema.ts"
import type { RichTextVocabulary } from "../../wire/results/rich-text.ts"
import { richTextVocabulary } from "../rich-text/vocabulary.ts"
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

/** A rich text with the names of this vocabulary. */
export function richTextReference(vocabulary: RichTextVocabulary): JsonSchema {
  return Object.freeze({ $ref: `${DEFINITIONS}richText${suffixOf(vocabulary)}` })
}

// A definition is made from its name alone, so that of another vocabulary than the default one has the names in it:
// `richText:doc,text,paragraph;strong`. The names consist of characters that a reference can have.
function suffixOf(vocabulary: RichTextVocabulary): string {
  if (vocabulary === richTextVocabulary) return ""
  return `:${vocabulary.nodes.join(",")};${vocabulary.marks.join(",")}`
}

/** Returns the vocabulary of a definition, or of a reference to it. */
export function vocabularyNamedIn(name: string): RichTextVocabulary {
  const [, nodes, marks] = /:([^;]*);(.*)$/.exec(name) ?? []
  if (nodes === undefined || marks === undefined) return richTextVocabulary
  return { nodes: nodes.split(","), marks: marks === "" ? [] : marks.split(",") }
}

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
  const [, kind, depth] = /^([a-zA-Z]+)(\d*)/.exec(name) ?? []
  const vocabulary = vocabularyNamedIn(name)
  if (kind === "richText") return documentSchema(vocabulary)
  if (kind === "richTextMark") return markSchema(vocabulary)
  return kind === "json" ? jsonSchema(Number(depth)) : nodeSchema(vocabulary, Number(depth))
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

function markSchema({ marks }: RichTextVocabulary): JsonSchema {
  return {
    type: "object",
    properties: { type: { enum: marks }, attrs: markAttributes },
    required: ["type"],
    additionalProperties: false,
  }
}

function nodeProperties(vocabulary: RichTextVocabulary, depth: number) {
  const suffix = suffixOf(vocabulary)
  const inner = { $ref: `${DEFINITIONS}richTextNode${depth - 1}${suffix}` }
  const content = depth === 0 ? { maxItems: 0 } : { items: inner }
  // A schema with an empty list of allowed values is not valid.
  const marks =
    vocabulary.marks.length === 0 ? { maxItems: 0 } : { items: { $ref: `${DEFINITIONS}richTextMark${suffix}` } }
  return {
    attrs: nodeAttributes,
    content: { type: "array", ...content },
    marks: { type: "array", ...marks },
  }
}

function documentSchema(vocabulary: RichTextVocabulary): JsonSchema {
  return {
    type: "object",
    properties: { type: { const: "doc" }, ...nodeProperties(vocabulary, RICH_TEXT_MAX_DEPTH) },
    required: ["type", "content"],
    additionalProperties: false,
  }
}

// A node of the type "text" has a text, and no other node has one. The properties stand outside of the condition, so
// that a validator looks at the content once, and not once more at each level.
function nodeSchema(vocabulary: RichTextVocabulary, depth: number): JsonSchema {
  return {
    type: "object",
    properties: { type: { enum: vocabulary.nodes }, text: NAME, ...nodeProperties(vocabulary, depth) },
    required: ["type"],
    additionalProperties: false,
    if: { properties: { type: { const: "text" } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: { text: {} }, required: ["text"] },
    else: { properties: { text: false } },
  }
}
