import * as Y from "yjs"
import { markNameOf } from "../values/mark-names.ts"
import { readRuns } from "../values/read-rich-text.ts"

/** How much a rich text has of each name: the number of nodes, or the length of the text that has the mark. */
export type NameCounts = ReadonlyMap<string, number>

/** Returns the name of a node, as names are stored. Nodes and marks may have the same names. */
export function nodeName(name: string): string {
  return `node ${name}`
}

/** Returns the name of the mark that a format's key stands for, as names are stored. */
export function markName(key: string): string {
  return `mark ${markNameOf(key)}`
}

/** Counts the names in a fragment. */
export function countNames(fragment: Y.XmlFragment): NameCounts {
  const counts = new Map<string, number>()
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count)
  const waiting: unknown[] = fragment.toArray()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node instanceof Y.XmlText) {
      for (const { text, formats } of readRuns(node)) {
        for (const key of Object.keys(formats)) add(markName(key), text.length)
      }
    } else if (node instanceof Y.XmlElement) {
      add(nodeName(node.nodeName), 1)
      waiting.push(...node.toArray())
    }
  }
  return counts
}
