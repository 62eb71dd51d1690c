import type * as Y from "yjs"
import { canonicalJson } from "../values/canonical-json.ts"
import { type FormatsOf, heldFormats } from "./format-keys.ts"
import type { MarkedText, TextNode } from "./node-tree.ts"
import { textChanges } from "./text-changes.ts"

interface TextEdit {
  readonly from: TextNode
  readonly to: TextNode
  readonly formats: FormatsOf
}

type Formats = Readonly<Record<string, unknown>>

/** A step of a delta. Insertions have all their formats; what is retained has the formats that change. */
type DeltaStep =
  | { readonly insert: string; readonly attributes: Formats }
  | { readonly retain: number; readonly attributes: Formats }
  | { readonly delete: number }

/** Changes the words and the formats of a text that differ, and leaves the others as they are. */
export function editMarkedText(text: Y.XmlText, { from, to, formats }: TextEdit): void {
  const current = plainText(from.runs)
  if (current.length !== text.length) {
    // Something other than text is embedded, so the places in the string are not those in the document.
    text.delete(0, text.length)
    text.applyDelta(insertionsOf(to.runs, formats))
    return
  }
  const old = cursorOver(from.runs, heldFormats)
  const target = cursorOver(to.runs, formats)
  const steps: DeltaStep[] = []
  let place = 0
  for (const change of textChanges(current, plainText(to.runs))) {
    for (const step of retained(change.index - place, old, target)) steps.push(step)
    for (const { text, formats } of target.take(change.text.length)) steps.push({ insert: text, attributes: formats })
    if (change.length > 0) steps.push({ delete: change.length })
    old.take(change.length)
    place = change.index + change.length
  }
  for (const step of retained(current.length - place, old, target)) steps.push(step)
  text.applyDelta(steps)
}

/** Returns the steps that write a text into an empty one. */
export function insertionsOf(runs: readonly MarkedText[], formats: FormatsOf): DeltaStep[] {
  return runs.map((run) => ({ insert: run.text, attributes: formats(run) }))
}

function plainText(runs: readonly MarkedText[]): string {
  return runs.map(({ text }) => text).join("")
}

interface Piece {
  readonly text: string
  readonly formats: Formats
}

interface RunCursor {
  /** Returns the pieces of the next `length` code units. */
  take(length: number): Piece[]
}

function cursorOver(runs: readonly MarkedText[], formats: FormatsOf): RunCursor {
  const pieces = runs.map((run): Piece => ({ text: run.text, formats: formats(run) }))
  let run = 0
  let offset = 0
  const takeOne = (most: number): Piece | undefined => {
    const piece = pieces[run]
    if (piece === undefined) return undefined
    const text = piece.text.slice(offset, offset + most)
    offset += text.length
    if (offset === piece.text.length) {
      run++
      offset = 0
    }
    return { text, formats: piece.formats }
  }
  return {
    take(length) {
      const taken: Piece[] = []
      for (let left = length; left > 0; ) {
        const piece = takeOne(left)
        if (piece === undefined) return taken
        taken.push(piece)
        left -= piece.text.length
      }
      return taken
    },
  }
}

// The steps that give a text which stays its new formats.
function retained(length: number, old: RunCursor, target: RunCursor): DeltaStep[] {
  const before = old.take(length)
  const after = target.take(length)
  const steps: DeltaStep[] = []
  let [first, second] = [0, 0]
  let [firstOffset, secondOffset] = [0, 0]
  while (first < before.length && second < after.length) {
    const held = before[first]
    const wanted = after[second]
    if (held === undefined || wanted === undefined) break
    const count = Math.min(held.text.length - firstOffset, wanted.text.length - secondOffset)
    steps.push({ retain: count, attributes: formatChanges(held.formats, wanted.formats) })
    firstOffset += count
    secondOffset += count
    if (firstOffset === held.text.length) [first, firstOffset] = [first + 1, 0]
    if (secondOffset === wanted.text.length) [second, secondOffset] = [second + 1, 0]
  }
  return steps
}

function formatChanges(held: Formats, wanted: Formats): Formats {
  const removed = Object.keys(held).filter((key) => !Object.hasOwn(wanted, key))
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !Object.hasOwn(held, key) || canonicalJson(held[key]) !== canonicalJson(value),
  )
  return Object.fromEntries([...removed.map((key) => [key, null] as const), ...changed])
}
