import * as Y from "yjs"
import { isObject, readJson } from "./json-values.ts"
import { markNameOf } from "./mark-names.ts"
import type { RichTextMark, RichTextNode } from "./rich-text-node.ts"

// Validation allows fewer levels. What is deeper is left out, so that no document can exhaust the stack.
const MAX_DEPTH = 64

/**
 * Returns the rich text that a fragment holds, with the mapping of y-prosemirror: an element is a node, its attributes
 * are the node's, and a text is a list of text nodes, whose marks are the text's formats.
 */
export function readRichText(fragment: Y.XmlFragment): RichTextNode {
  return { type: "doc", content: readChildren(fragment, 1) }
}

function readChildren(parent: Y.XmlFragment, depth: number): RichTextNode[] {
  return parent.toArray().flatMap((child: unknown) => {
    if (child instanceof Y.XmlText) return readText(child)
    return child instanceof Y.XmlElement && depth <= MAX_DEPTH ? [readElement(child, depth)] : []
  })
}

function readElement(element: Y.XmlElement, depth: number): RichTextNode {
  const attrs = readAttributes(element)
  const content = readChildren(element, depth + 1)
  return {
    type: element.nodeName,
    ...(Object.keys(attrs).length === 0 ? {} : { attrs }),
    ...(content.length === 0 ? {} : { content }),
  }
}

/** Returns the attributes of an element. */
export function readAttributes(element: Y.XmlElement): Record<string, unknown> {
  // The cast is safe: an attribute can have any value, although the types of Yjs say text.
  const entries = Object.entries(element.getAttributes() as Record<string, unknown>)
  const defined = entries.filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(defined.map(([key, value]) => [key, readJson(value, 1)]))
}

function readText(text: Y.XmlText): RichTextNode[] {
  return readRuns(text).map(({ text, formats }) => {
    const marks = Object.entries(formats).map(([key, value]) => readMark(key, value))
    return { type: "text", text, ...(marks.length === 0 ? {} : { marks }) }
  })
}

/** A piece of text, and its formats by their keys. */
interface TextRun {
  readonly text: string
  readonly formats: Readonly<Record<string, unknown>>
}

/** Returns the pieces of a text that have the same formats throughout. What is not text is left out. */
export function readRuns(text: Y.XmlText): TextRun[] {
  // The cast is safe: this is the documented form of a delta; an insert that is no text is an embedded object.
  const delta = text.toDelta() as { insert: unknown; attributes?: Record<string, unknown> }[]
  return delta.flatMap(({ insert, attributes = {} }) =>
    typeof insert === "string" ? [{ text: insert, formats: attributes }] : [],
  )
}

/** Returns the mark that a format stands for. */
export function readMark(key: string, value: unknown): RichTextMark {
  const attrs = readJson(value, 1)
  return { type: markNameOf(key), ...(isObject(attrs) && Object.keys(attrs).length > 0 ? { attrs } : {}) }
}
