import { yXmlFragmentToProsemirrorJSON } from "y-prosemirror"
import type { Doc } from "yjs"
import type { Place } from "./world.ts"

/** Returns the value that the record should have, by the code that editors use. */
export function fieldValue(doc: Doc, { field, shape }: Place) {
  if (shape === "text") return doc.getText(field).toString()
  if (shape === "json") return doc.getMap(field).toJSON()
  return withoutEmptyAttributes(yXmlFragmentToProsemirrorJSON(doc.getXmlFragment(field)))
}

/** A mark without attributes is written in two ways that mean the same. */
export function withoutEmptyAttributes(value: unknown): any {
  if (Array.isArray(value)) return value.map(withoutEmptyAttributes)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key, inner]) => key !== "attrs" || Object.keys(inner ?? {}).length > 0)
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutEmptyAttributes(inner)]))
}
