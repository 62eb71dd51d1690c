import type { RichText, RichTextVocabulary } from "../../wire/results/rich-text.ts"
import { Field } from "../builders/field.ts"
import { combinePartProblems, type FieldType, isProblem, type Parsed } from "../compile/field-type.ts"
import { RICH_TEXT_MAX_DEPTH, richTextReference } from "../json-schema/json-definitions.ts"
import { findNameProblems } from "../rich-text/foreign-names.ts"
import { findVocabularyMistakes, type VocabularyOptions, vocabularyOf } from "../rich-text/vocabulary.ts"
import { isPlainObject, jsonType, parseJson } from "./json.ts"

// A stored text may have names that the vocabulary does not have.
const OUTPUT_SCHEMA = Object.freeze({
  type: "object",
  properties: { type: { const: "doc" }, content: { type: "array", items: { type: "object" } } },
  required: ["type", "content"],
})
const NODE_KEYS = new Set(["type", "attrs", "content", "marks", "text"])
const MARK_KEYS = new Set(["type", "attrs"])

/** A field for a rich text document in the format of ProseMirror: `{ type: "doc", content: […] }`. */
export class RichTextField extends Field<RichText, VocabularyOptions> {
  /**
   * Lets several people edit the field's value at the same time, each with an editor that supports Yjs. The record has
   * the value of the shared document.
   */
  collaborative(): this {
    return this.withTraits({ collaborative: true })
  }

  override compile(): FieldType {
    const vocabulary = vocabularyOf(this.rules)
    return {
      ...jsonType,
      name: "richText",
      vocabulary,
      typescript: { output: "RichText", input: "RichText" },
      jsonSchema: Object.freeze({ input: richTextReference(vocabulary), output: OUTPUT_SCHEMA }),
      parse: (value, source) => {
        const parsed = parseDocument(value)
        return isProblem(parsed) || source === "stored" ? parsed : withKnownNames(parsed.value, vocabulary)
      },
    }
  }

  override mistakes(): readonly string[] {
    return findVocabularyMistakes(this.rules)
  }
}

function withKnownNames(value: unknown, vocabulary: RichTextVocabulary): Parsed {
  const [first, ...others] = findNameProblems(value, vocabulary)
  return first ? combinePartProblems([first, ...others]) : { value }
}

function parseDocument(value: unknown): Parsed {
  if (!isPlainObject(value) || value["type"] !== "doc" || !Array.isArray(value["content"])) {
    return { problem: 'Expected a document such as { "type": "doc", "content": [] }.' }
  }
  const problem = findNodeProblem(value, 0)
  return problem === undefined ? { value } : { problem }
}

function findNodeProblem(node: unknown, depth: number): string | undefined {
  if (depth > RICH_TEXT_MAX_DEPTH) return `Must not nest nodes deeper than ${RICH_TEXT_MAX_DEPTH} levels.`
  if (!isPart(node, NODE_KEYS)) return 'Expected nodes such as { "type": "paragraph", "content": [] }.'
  const { type, attrs, content = [], marks = [], text } = node
  const hasText = typeof text === "string" && text !== ""
  if (type === "text" ? !hasText : text !== undefined)
    return 'Expected a text that is not empty in each node of type "text", and in no other.'
  if (!Array.isArray(content)) return "Expected the content of a node to be a list of nodes."
  if (!Array.isArray(marks) || !marks.every((mark) => isPart(mark, MARK_KEYS)))
    return 'Expected marks such as { "type": "strong" }.'
  return findJsonProblem([attrs ?? null, text ?? null, marks, type]) ?? findContentProblem(content, depth)
}

function findContentProblem(content: readonly unknown[], depth: number): string | undefined {
  for (const node of content) {
    const problem = findNodeProblem(node, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

// True if the value is a node or a mark: an object with a type, optional attributes, and no other keys than `keys`.
function isPart(value: unknown, keys: ReadonlySet<string>): value is Record<string, unknown> {
  if (!isPlainObject(value) || typeof value["type"] !== "string" || value["type"] === "") return false
  const { attrs = null } = value
  const hasAttributes = attrs === null || isPlainObject(attrs)
  return hasAttributes && Object.keys(value).every((key) => keys.has(key))
}

function findJsonProblem(value: unknown): string | undefined {
  const parsed = parseJson(value)
  return isProblem(parsed) ? parsed.problem : undefined
}
