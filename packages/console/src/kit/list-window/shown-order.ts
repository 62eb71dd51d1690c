interface Shown {
  /** The ids that are shown, in the order in which they are shown. */
  readonly ids: readonly string[]
  /** The last id that is in view; null if none is. */
  readonly lastInView: string | null
}

interface HeldOrder {
  readonly ids: readonly string[]
  /** The number of new records above the last row in view, which are not shown. */
  readonly newCount: number
  /** The number of records that are shown in their former place, although they have another one now. */
  readonly movedCount: number
}

/**
 * Returns the ids to show so that nothing moves that is in view: rows above and in view keep their order, new records
 * among them wait, and what is further below is as in the list. Records that have left the list leave.
 *
 * `loaded` are ids of pages that were read just now: they are no news.
 */
export function holdOrder(list: readonly string[], shown: Shown, loaded: ReadonlySet<string>): HeldOrder {
  const places = new Map(list.map((id, place) => [id, place]))
  const end = shown.lastInView === null ? 0 : shown.ids.indexOf(shown.lastInView) + 1
  const held = shown.ids.slice(0, end).filter((id) => places.has(id))
  if (held.length === 0) return { ids: list, newCount: 0, movedCount: 0 }
  const unmoved = longestRise(held.map((id) => places.get(id) ?? 0))
  const [first = 0, last = 0] = [unmoved[0], unmoved.at(-1)]
  const heldIds = new Set(held)
  const known = new Set(shown.ids)
  const others = list.filter((id) => !heldIds.has(id))
  const placeOf = (id: string) => places.get(id) ?? 0
  // Pages between two others are rare: they come into being when one is split.
  const isAmong = (id: string) => placeOf(id) > first && placeOf(id) < last && loaded.has(id)
  if (others.some(isAmong)) return { ids: list, newCount: 0, movedCount: 0 }
  const before = others.filter((id) => placeOf(id) < first && loaded.has(id) && !known.has(id))
  const after = others.filter((id) => placeOf(id) > last)
  return {
    ids: [...before, ...held, ...after],
    newCount: others.length - before.length - after.length,
    movedCount: held.length - unmoved.length,
  }
}

/** Returns the longest sequence of rising numbers that is left when others are taken away. */
function longestRise(numbers: readonly number[]): readonly number[] {
  if (numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0))) return numbers
  // tails[n] is the index of the smallest number with which a rise of n + 1 numbers ends.
  const tails: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    const length = firstNotBelow(tails, (tail) => (numbers[tail] ?? 0) < number)
    previous[index] = tails[length - 1]
    tails[length] = index
  }
  const rise: number[] = []
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) rise.unshift(numbers[at] ?? 0)
  return rise
}

function firstNotBelow(tails: readonly number[], isBelow: (tail: number) => boolean): number {
  let [low, high] = [0, tails.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBelow(tails[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low
}
