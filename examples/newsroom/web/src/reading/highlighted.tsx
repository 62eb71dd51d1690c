import { createElement, Fragment } from "react"

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}

/** Shows a highlight of the search: text with `<mark>` around the words that were found, and nothing else. */
export function Highlighted({ text }: { readonly text: string }) {
  // Splitting by a group keeps what it matched: every second part is a word that was found.
  const parts = text.split(/<mark>(.*?)<\/mark>/s).map(decode)
  const shown = parts.map((part, index) => (index % 2 === 1 ? createElement("mark", null, part) : part))
  return createElement(Fragment, null, ...shown)
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
