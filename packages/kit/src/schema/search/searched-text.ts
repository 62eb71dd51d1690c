import type { FieldType } from "../compile/field-type.ts"
import type { ResourceField } from "../compile/resource.ts"

/**
 * How the text of a searchable field is stored: as text, as a list of texts, as a rich text document, or in a list of
 * blocks.
 */
type TextForm = "text" | "list" | "document" | "blocks"

/** Returns how the field stores its text, or undefined if the field cannot be searched. */
export function textFormOf({ isStored, type }: Pick<ResourceField, "isStored" | "type">): TextForm | undefined {
  if (!isStored) return undefined
  if (isText(type)) return "text"
  if (type.operators === "list" && type.element && isText(type.element)) return "list"
  if (type.blocks && hasProse(type)) return "blocks"
  return type.name === "richText" ? "document" : undefined
}

// The types of texts that are searched in blocks. Others, such as the address of a link or the option of a layout, are no
// words of the page.
const PROSE: readonly string[] = ["text", "textarea", "richText"]

/** True if the type is one of the texts that are searched in blocks. */
export function isProse({ name }: FieldType): boolean {
  return PROSE.includes(name)
}

function hasProse(type: FieldType): boolean {
  const { blocks, members = [], element } = type
  if (isProse(type)) return true
  const inner = [...members, ...[...(blocks?.values() ?? [])].flatMap((block) => block.members)]
  return inner.some((member) => hasProse(member.type)) || (element !== undefined && hasProse(element))
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
