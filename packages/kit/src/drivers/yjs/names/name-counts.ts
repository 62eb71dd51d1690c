import * as Y from "yjs"
import { markNameOf } from "../values/mark-names.ts"
import { readRuns } from "../values/read-rich-text.ts"

/** How much a rich text has of each name: the number of nodes, or the length of the text that has the mark. */
type NameCounts = ReadonlyMap<string, number>

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
  for (const [name, count] of namesIn(fragment)) counts.set(name, (counts.get(name) ?? 0) + count)
  return counts
}

function* namesIn(parent: Y.XmlFragment): Generator<[name: string, count: number]> {
  const waiting: unknown[] = parent.toArray()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node instanceof Y.XmlText) yield* marksIn(node)
    if (!(node instanceof Y.XmlElement)) continue
    yield [nodeName(node.nodeName), 1]
    for (const child of node.toArray()) waiting.push(child)
  }
}

function* marksIn(shared: Y.XmlText): Generator<[name: string, length: number]> {
  for (const { text, formats } of readRuns(shared)) {
    for (const key of Object.keys(formats)) yield [markName(key), text.length]
  }
}
