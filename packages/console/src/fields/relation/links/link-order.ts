/** A move of a related record, as the API takes it. */
export type Move =
  | { readonly id: string; readonly before: string }
  | { readonly id: string; readonly after: string }
  | { readonly id: string; readonly to: "start" | "end" }

/** The links that are shown: whether the first and the last of all links are among them. */
export interface LinkWindow {
  readonly hasStart: boolean
  readonly hasEnd: boolean
}

/** Returns the ids after the moves, as far as they concern these ids. A move beyond the window takes the id out of it. */
export function movedIds(ids: readonly string[], moves: readonly Move[], window: LinkWindow): readonly string[] {
  let order = ids
  for (const move of moves) order = afterMove(order, move, window)
  return order
}

function afterMove(order: readonly string[], move: Move, window: LinkWindow): readonly string[] {
  const others = order.filter((id) => id !== move.id)
  const isShown = others.length < order.length
  if ("to" in move) {
    if (move.to === "start") return window.hasStart ? [move.id, ...others] : others
    return window.hasEnd ? [...others, move.id] : others
  }
  const neighbor = "before" in move ? move.before : move.after
  const at = others.indexOf(neighbor)
  // Without its neighbor in the window, a record that is shown has moved to another page.
  if (at < 0) return isShown ? others : order
  return others.toSpliced("before" in move ? at : at + 1, 0, move.id)
}

/**
 * Returns the fewest moves that bring these ids into the wanted order. Each move names a neighbor that has its place by
 * then, so that the moves can be made one after the other. Where either of two records could be moved, it is `preferred`.
 */
export function movesBetween(ids: readonly string[], wanted: readonly string[], preferred?: string): Move[] {
  const most = longestCommonOrder(ids, wanted)
  const others = longestCommonOrder(
    ids,
    wanted.filter((id) => id !== preferred),
  )
  const staying = others.size === most.size ? others : most
  const first = wanted.findIndex((id) => staying.has(id))
  if (first < 0) return []
  const before = wanted
    .slice(0, first)
    .map((id, index) => ({ id, before: wanted[index + 1] ?? id }))
    .reverse()
  const after = wanted
    .map((id, index) => ({ id, after: wanted[index - 1] ?? id }))
    .filter(({ id }, index) => index > first && !staying.has(id))
  return [...before, ...after]
}

/** Returns the most ids that have the same order in both lists: those that need not be moved. */
function longestCommonOrder(ids: readonly string[], wanted: readonly string[]): ReadonlySet<string> {
  const places = new Map(ids.map((id, index) => [id, index]))
  const chains: { readonly place: number; readonly chain: readonly string[] }[] = []
  for (const id of wanted) {
    const place = places.get(id)
    if (place === undefined) continue
    const earlier = chains.filter((chain) => chain.place < place)
    const longest = earlier.reduce<readonly string[]>(
      (best, { chain }) => (chain.length > best.length ? chain : best),
      [],
    )
    chains.push({ place, chain: [...longest, id] })
  }
  const longest = chains.reduce<readonly string[]>((best, { chain }) => (chain.length > best.length ? chain : best), [])
  return new Set(longest)
}
