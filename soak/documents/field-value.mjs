import { yXmlFragmentToProsemirrorJSON } from "y-prosemirror"

/**
 * Returns the value that the record should have, by the code that editors use.
 *
 * @param {import("yjs").Doc} doc
 * @param {import("./world.mjs").Place} place
 */
export function fieldValue(doc, { field, shape }) {
  if (shape === "text") return doc.getText(field).toString()
  if (shape === "json") return doc.getMap(field).toJSON()
  return withoutEmptyAttributes(yXmlFragmentToProsemirrorJSON(doc.getXmlFragment(field)))
}

/**
 * A mark without attributes is written in two ways that mean the same.
 *
 * @param {unknown} value
 * @returns {any}
 */
export function withoutEmptyAttributes(value) {
  if (Array.isArray(value)) return value.map(withoutEmptyAttributes)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key, inner]) => key !== "attrs" || Object.keys(inner ?? {}).length > 0)
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutEmptyAttributes(inner)]))
}
