import { diffSequences, type Hunk } from "./sequence-diff.ts"

/** A step that makes one list of another: it replaces some items, or changes one item in place. */
type ListEdit<Item> =
  | { readonly kind: "replace"; readonly index: number; readonly removed: number; readonly inserted: readonly Item[] }
  | { readonly kind: "update"; readonly index: number; readonly item: Item }

interface ListComparison<Old, Item> {
  readonly from: readonly Old[]
  readonly to: readonly Item[]
  /** The identities of the items. Two items with the same identity are equal. */
  readonly fromIds: readonly number[]
  readonly toIds: readonly number[]
  /** How much two items have in common: 0 if one cannot be made of the other in place. */
  similarity(old: Old, item: Item): number
}

// More pairs than this are not compared with each other: items are then paired by their order.
const MAX_PAIRS = 10_000

/** Returns the steps, from the last to the first, so that the indexes of the remaining steps stay valid. */
export function listEdits<Old, Item>(comparison: ListComparison<Old, Item>): ListEdit<Item>[] {
  const hunks = diffSequences(comparison.fromIds, comparison.toIds)
  return hunks.flatMap((hunk) => hunkEdits(comparison, hunk)).reverse()
}

function hunkEdits<Old, Item>(comparison: ListComparison<Old, Item>, hunk: Hunk): ListEdit<Item>[] {
  const edits: ListEdit<Item>[] = []
  let { from, to } = hunk
  const replaceUntil = (fromEnd: number, toEnd: number) => {
    if (from === fromEnd && to === toEnd) return
    edits.push({ kind: "replace", index: from, removed: fromEnd - from, inserted: comparison.to.slice(to, toEnd) })
  }
  for (const pair of pairsIn(comparison, hunk)) {
    replaceUntil(pair.from, pair.to)
    edits.push({ kind: "update", index: pair.from, item: pair.item })
    from = pair.from + 1
    to = pair.to + 1
  }
  replaceUntil(hunk.fromEnd, hunk.toEnd)
  return edits
}

interface Pair<Item> {
  readonly from: number
  readonly to: number
  readonly item: Item
}

// Pairs old items with new ones, in ascending order, so that the pairs have as much in common as possible.
function pairsIn<Old, Item>(comparison: ListComparison<Old, Item>, hunk: Hunk): Pair<Item>[] {
  const old = comparison.from.slice(hunk.from, hunk.fromEnd)
  const items = comparison.to.slice(hunk.to, hunk.toEnd)
  const places =
    old.length * items.length > MAX_PAIRS
      ? placesByOrder({ old, items, comparison })
      : placesBySimilarity({ old, items, comparison })
  return places.flatMap(([from, to]) => {
    const item = items[to]
    return item === undefined ? [] : [{ from: hunk.from + from, to: hunk.to + to, item }]
  })
}

interface Gap<Old, Item> {
  readonly old: readonly Old[]
  readonly items: readonly Item[]
  readonly comparison: ListComparison<Old, Item>
}

type Place = readonly [from: number, to: number]

function placesByOrder<Old, Item>({ old, items, comparison }: Gap<Old, Item>): Place[] {
  return old.slice(0, items.length).flatMap((item, place): Place[] => {
    const other = items[place]
    return other !== undefined && comparison.similarity(item, other) > 0 ? [[place, place]] : []
  })
}

// `best` holds the largest total similarity of the items from (row, column) on.
function placesBySimilarity<Old, Item>({ old, items, comparison }: Gap<Old, Item>): Place[] {
  const width = items.length + 1
  const scores = new Float64Array(width * (old.length + 1))
  const best = new Float64Array(scores.length)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = items.length - 1; column >= 0; column--) {
      const at = row * width + column
      const first = old[row]
      const second = items[column]
      const score = first === undefined || second === undefined ? 0 : comparison.similarity(first, second)
      scores[at] = score
      const paired = score > 0 ? score + (best[at + width + 1] ?? 0) : 0
      best[at] = Math.max(paired, best[at + 1] ?? 0, best[at + width] ?? 0)
    }
  }
  return bestPath({ scores, best, width, height: old.length })
}

interface Scores {
  readonly scores: Float64Array
  readonly best: Float64Array
  readonly width: number
  readonly height: number
}

function bestPath({ scores, best, width, height }: Scores): Place[] {
  const places: Place[] = []
  let row = 0
  let column = 0
  while (row < height && column < width - 1) {
    const at = row * width + column
    const score = scores[at] ?? 0
    if (score > 0 && best[at] === score + (best[at + width + 1] ?? 0)) places.push([row++, column++])
    else if (best[at] === best[at + 1]) column++
    else row++
  }
  return places
}
