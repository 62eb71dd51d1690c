import type { PartSchema } from "kit/client"
import { type MarkSpec, type NodeSpec, Schema } from "prosemirror-model"
import { KNOWN_MARKS, KNOWN_NODES } from "./known-nodes.ts"
import type { TextNode } from "./rich-text-json.ts"
import { isKnownNode, observe, sealedContent, sealedMark, sealedNode } from "./sealed-specs.ts"

type Vocabulary = NonNullable<PartSchema["vocabulary"]>

/** A schema of the editor, with the names that have no editor of their own. */
export interface EditorSchema {
  readonly schema: Schema
  readonly sealed: ReadonlySet<string>
}

const schemas = new Map<string, EditorSchema>()

/**
 * Returns the schema for the vocabulary of a field. Names for which there is no editor are sealed: they have the
 * attributes and the content that they have in this text. Equal vocabularies share a schema.
 */
export function editorSchemaFor({ nodes, marks }: Vocabulary, text: TextNode | null): EditorSchema {
  const names = new Set(nodes)
  const sealed = new Set([
    ...nodes.filter((name) => name !== "doc" && name !== "text" && !isKnownNode(name, names)),
    ...marks.filter((name) => !Object.hasOwn(KNOWN_MARKS, name)),
  ])
  const observed = observe(text, sealed)
  const described = [...observed].map(([name, { attributes, children, isInline }]) => {
    return [name, [...attributes].sort(), [...children].sort(), isInline]
  })
  const key = JSON.stringify([nodes, marks, described.sort()])
  const known = schemas.get(key)
  if (known) return known
  const places = new Map([...sealed].map((name, place) => [name, place] as const))
  const sealedSpecs = nodes
    .filter((name) => sealed.has(name))
    .map((name): [string, NodeSpec] => {
      const about = observed.get(name)
      const spec = sealedNode(name, places.get(name) ?? 0, about)
      return [name, about ? { ...spec, content: sealedContent(about, places) } : spec]
    })
  const knownSpecs = Object.entries(KNOWN_NODES).filter(([name]) => names.has(name) && !sealed.has(name))
  const made: EditorSchema = {
    schema: new Schema({
      nodes: Object.fromEntries([
        ...knownSpecs.map(([name, { spec }]): [string, NodeSpec] => [name, spec]),
        ...sealedSpecs,
        ["doc", { content: "block+" }],
        ["text", { group: "inline" }],
      ]),
      marks: Object.fromEntries([...markSpecs(marks), ...sealedMarks(marks, observed)]),
      topNode: "doc",
    }),
    sealed,
  }
  schemas.set(key, made)
  return made
}

// Marks are nested in the order of the schema, so that a link is around what it marks.
function markSpecs(marks: readonly string[]): readonly [string, MarkSpec][] {
  return Object.entries(KNOWN_MARKS).filter(([name]) => marks.includes(name))
}

function sealedMarks(marks: readonly string[], observed: ReturnType<typeof observe>): readonly [string, MarkSpec][] {
  return marks
    .filter((name) => !Object.hasOwn(KNOWN_MARKS, name))
    .map((name) => [name, sealedMark(name, observed.get(name))])
}
