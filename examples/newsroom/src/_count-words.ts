interface RichTextNode {
  readonly type?: unknown
  readonly text?: unknown
  readonly content?: unknown
  /** The English text, in a write of all languages together. */
  readonly en?: unknown
}

/** Returns the number of words in a rich text, whichever nodes and marks it is made of. */
export function countWords(value: unknown): number {
  return textOf(value).split(/\s+/).filter(Boolean).length
}

// Texts side by side may be parts of one word, as in "half<b>way</b>". Any other node begins a new one.
function textOf(node: unknown): string {
  if (!isNode(node)) return ""
  if (node.type === undefined) return textOf(node.en)
  if (node.type === "text") return String(node.text)
  return ` ${Array.isArray(node.content) ? node.content.map(textOf).join("") : ""} `
}

function isNode(value: unknown): value is RichTextNode {
  return typeof value === "object" && value !== null
}
