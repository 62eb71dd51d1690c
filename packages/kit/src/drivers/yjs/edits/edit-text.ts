import type * as Y from "yjs"
import { textChanges } from "./text-changes.ts"

/** Changes the words of a text that differ, and leaves the others as they are. */
export function editText(text: Y.Text, value: string): void {
  const current = text.toString()
  if (current.length !== text.length) {
    // Something other than text is embedded, so the places in the string are not those in the document.
    text.delete(0, text.length)
    text.insert(0, value)
    return
  }
  // From the last change to the first, so that the indexes of the remaining ones stay valid.
  for (const change of textChanges(current, value).reverse()) {
    text.insert(change.index, change.text)
    text.delete(change.index + change.text.length, change.length)
  }
}
