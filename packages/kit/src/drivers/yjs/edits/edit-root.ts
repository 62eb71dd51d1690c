import type * as Y from "yjs"
import type { DocumentRoot } from "../../../ports/document-codec.ts"
import { isObject, rootMembers } from "../values/json-values.ts"
import { editMembers } from "./edit-json.ts"
import { editRichText } from "./edit-rich-text.ts"
import { editText } from "./edit-text.ts"

/** Makes the smallest change after which a document's root holds this value. Null empties a text or a rich text. */
export function editRoot(doc: Y.Doc, { name, shape }: DocumentRoot, value: unknown): void {
  if (shape === "text") editText(doc.getText(name), textOf(value))
  else if (shape === "richText") editRichText(doc.getXmlFragment(name), contentOf(value))
  else editMembers(doc.getMap(name), rootMembers(value))
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return value
  throw new Error("Expected a text.")
}

function contentOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  const content = isObject(value) ? (value["content"] ?? []) : undefined
  if (Array.isArray(content)) return content
  throw new Error('Expected a rich text such as { "type": "doc", "content": [] }.')
}
