import type { FieldType } from "../compile/field-type.ts"
import type { ResourceField } from "../compile/resource.ts"

/** How the text of a searchable field is stored: as text, as a list of texts, or as a rich text document. */
type TextForm = "text" | "list" | "document"

/** Returns how the field stores its text, or undefined if the field cannot be searched. */
export function textFormOf({ isStored, type }: Pick<ResourceField, "isStored" | "type">): TextForm | undefined {
  if (!isStored) return undefined
  if (isText(type)) return "text"
  if (type.operators === "list" && type.element && isText(type.element)) return "list"
  return type.name === "richText" ? "document" : undefined
}

function isText({ operators, sqlType }: FieldType): boolean {
  return operators === "text" || (operators === "choice" && sqlType === "text")
}

/** True if found records can be counted by the values of the field. */
export function isFacet({ isStored, type, relation }: Pick<ResourceField, "isStored" | "type" | "relation">): boolean {
  if (!isStored) return false
  return relation?.kind === "belongsTo" || isCountable(type) || isListOfCountable(type)
}

// Times of a day have an order, but are no facets: almost every record has its own.
function isCountable({ operators, name }: FieldType): boolean {
  return operators === "text" || operators === "choice" || (operators === "ordered" && name !== "time")
}

function isListOfCountable({ operators, element }: FieldType): boolean {
  return operators === "list" && element !== undefined && (isText(element) || element.name === "number")
}
