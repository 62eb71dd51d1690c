import type { RichText } from "kit/client"

/** Returns a rich text with one paragraph for each of these texts. */
export function richText(...paragraphs: readonly string[]): RichText {
  return { type: "doc", content: paragraphs.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })) }
}
