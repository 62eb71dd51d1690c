import type { Node, Schema } from "prosemirror-model"
import type { EditorSchema } from "./editor-schema.ts"
import type { TextNode } from "./rich-text-json.ts"

// Nodes never change, so each is written once: a key costs the paragraph that it is in, and not the whole text.
const written = new WeakMap<Node, TextNode>()

/** Returns the document of a text. Its blocks are written as they were read until they are changed. */
export function documentOf(schema: Schema, text: TextNode | null): Node {
  if (text === null) return emptyDocument(schema)
  const document = schema.nodeFromJSON(text.content?.length ? text : emptyDocument(schema).toJSON())
  if (document.childCount === text.content?.length) {
    document.forEach((block, _offset, index) => {
      const read = text.content?.[index]
      if (read) written.set(block, read)
    })
  }
  return document
}

/** Returns the value of a document; null if nothing is in it. */
export function textOf(document: Node, { sealed }: EditorSchema): TextNode | null {
  const only = document.childCount === 1 ? document.firstChild : null
  if (only?.type.name === "paragraph" && only.content.size === 0) return null
  return nodeJson(document, sealed)
}

/** Returns the number of words of a document. */
export function countWords(document: Node): number {
  return document.textBetween(0, document.content.size, " ", " ").match(/\p{L}[\p{L}\p{N}'’-]*|\p{N}+/gu)?.length ?? 0
}

function nodeJson(node: Node, sealed: ReadonlySet<string>): TextNode {
  const known = written.get(node)
  if (known) return known
  const { type, attrs, marks, content, text } = node
  const kept = Object.entries(attrs).filter(([, value]) => value !== null || !sealed.has(type.name))
  const json: TextNode = {
    type: type.name,
    ...(kept.length > 0 && { attrs: Object.fromEntries(kept) }),
    ...(content.size > 0 && { content: content.content.map((child) => nodeJson(child, sealed)) }),
    ...(marks.length > 0 && { marks: marks.map((mark) => mark.toJSON()) }),
    ...(text !== undefined && { text }),
  }
  written.set(node, json)
  return json
}

function emptyDocument(schema: Schema): Node {
  const document = schema.topNodeType.createAndFill()
  if (document === null) throw new Error("The vocabulary of this field has no node that a text could begin with.")
  return document
}
