import * as Y from "yjs"
import type { Attributes, TextMark, TextNode } from "./editor-schema.ts"

// A text can have several marks of the same type. The keys of their formats then end with a hash.
const HASHED_NAME = /--[a-zA-Z0-9+/=]{8}$/

/** Returns the nodes that a shared rich text holds, with the mapping of y-prosemirror. */
export function readContent(parent: Y.XmlFragment): TextNode[] {
  return parent.toArray().flatMap((child: unknown) => {
    if (child instanceof Y.XmlText) return readText(child)
    return child instanceof Y.XmlElement ? [readElement(child)] : []
  })
}

function readElement(element: Y.XmlElement): TextNode {
  return { type: element.nodeName, attrs: defined(element.getAttributes()), content: readContent(element) }
}

function readText(text: Y.XmlText): TextNode[] {
  // The cast is safe: this is the documented form of a delta.
  const delta = text.toDelta() as { insert: unknown; attributes?: Attributes }[]
  return delta.map(({ insert, attributes = {} }) => ({
    type: "text",
    text: String(insert),
    marks: Object.entries(attributes).map(readMark),
  }))
}

function readMark([key, attrs]: [string, unknown]): TextMark {
  return { type: key.replace(HASHED_NAME, ""), attrs: defined(Object(attrs)) }
}

// An attribute without a value is the same as none.
function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined))
}
