import type { PartSchema } from "kit/client"

const EXCERPT_CHARACTERS = 120
const TEXT_TYPES = new Set(["text", "textarea", "email", "url"])

type Parts = Readonly<Record<string, PartSchema>>

/** Returns the first text in the members of an object, in the order of their declaration: the title of an item. */
export function excerptOf(fields: Parts, value: unknown): string {
  return shortened(firstText(fields, value) ?? otherValue(fields, value) ?? "")
}

/** Returns the first text in a value of any type. */
export function excerptOfPart(part: PartSchema, value: unknown): string {
  return shortened(textOfPart(part, value) ?? "")
}

function firstText(fields: Parts, value: unknown): string | undefined {
  for (const [name, part] of Object.entries(fields)) {
    const text = textOfPart(part, Object(value)[name])
    if (text) return text
  }
  return undefined
}

function textOfPart(part: PartSchema, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (TEXT_TYPES.has(part.type)) return String(value).trim()
  if (part.type === "richText") return richTextWords(value)
  if (part.fields) return firstText(part.fields, value)
  if (!Array.isArray(value)) return undefined
  for (const item of value) {
    const fields = part.blocks?.[Object(item).type]?.fields
    const text = fields ? firstText(fields, item) : part.items && textOfPart(part.items, item)
    if (text) return text
  }
  return undefined
}

// An item without a text is named by its first choice, number or time.
function otherValue(fields: Parts, value: unknown): string | undefined {
  for (const [name, { type, options }] of Object.entries(fields)) {
    const member: unknown = Object(value)[name]
    if (type === "select" && typeof member === "string") {
      return options?.find((option) => option.value === member)?.label ?? member
    }
    if (typeof member === "number" || (typeof member === "string" && type === "number")) return String(member)
  }
  return undefined
}

/** Returns the words of a rich text up to the length of an excerpt. */
export function richTextWords(node: unknown): string {
  const { text, content } = Object(node)
  if (typeof text === "string") return text
  if (!Array.isArray(content)) return ""
  let words = ""
  for (const child of content) {
    // Texts of one paragraph stand together; blocks are words of their own.
    words += typeof Object(child).text === "string" ? child.text : ` ${richTextWords(child)}`
    if (words.length > EXCERPT_CHARACTERS) break
  }
  return words.trim()
}

function shortened(text: string): string {
  return text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text
}
