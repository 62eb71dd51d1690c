/** A change of a text, as Yjs describes it: what is kept, deleted and inserted, from the beginning on. */
export type TextDelta = readonly {
  readonly retain?: number | undefined
  readonly delete?: number | undefined
  readonly insert?: unknown
}[]

/** A part of a text that is replaced. */
interface TextChange {
  readonly index: number
  readonly deleted: number
  readonly inserted: string
}

/** Returns where a position of a text is after a change. What is inserted at the position comes after it. */
export function positionAfter(delta: TextDelta, position: number): number {
  let before = 0
  let after = 0
  for (const { retain = 0, delete: deleted = 0, insert = "" } of delta) {
    if (before < position) after += String(insert).length
    const kept = Math.min(retain, position - before)
    after += kept
    before += kept
    before += Math.min(deleted, position - before)
  }
  return after + position - before
}

/** Returns what was changed between two texts, given where the cursor is after the change. */
export function changeBetween(before: string, after: string, cursor: number): TextChange {
  const shorter = Math.min(before.length, after.length)
  // In a row of equal characters, such as spaces, those before the cursor are the new ones.
  let end = 0
  const endMax = Math.min(shorter, after.length - Math.min(cursor, after.length))
  while (end < endMax && before.at(-1 - end) === after.at(-1 - end)) end += 1
  let start = 0
  while (start < shorter - end && before[start] === after[start]) start += 1
  return { index: start, deleted: before.length - start - end, inserted: after.slice(start, after.length - end) }
}
