import { NoValue } from "../../parts/no-value.tsx"
import type { CellProps } from "../cell-props.ts"

const EXCERPT_LENGTH = 160

/** The beginning of a rich text, without its marks. */
export function RichTextCell({ value }: CellProps) {
  const words: string[] = []
  collectText(value, words)
  const text = words.join(" ").replaceAll(/\s+/g, " ").trim()
  return text === "" ? <NoValue /> : text.slice(0, EXCERPT_LENGTH)
}

// Reads on until there is enough, and never further: a text may be long.
function collectText(node: unknown, words: string[]): void {
  if (words.join(" ").length > EXCERPT_LENGTH || node === null || typeof node !== "object") return
  if ("text" in node && typeof node.text === "string") words.push(node.text)
  if ("content" in node && Array.isArray(node.content)) for (const child of node.content) collectText(child, words)
}
