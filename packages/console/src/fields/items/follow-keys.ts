/** The items of a list, each with a key that it keeps while the list changes around it. */
export interface KeyedItems {
  readonly items: readonly unknown[]
  readonly keys: readonly string[]
}

let lastKey = 0

/**
 * Returns the keys of the items of a list that has changed. Items have no ids of their own, so an item is taken for the
 * same one if it is the same value, otherwise if it is equal, otherwise if it stands where a changed one stood.
 */
export function followKeys(before: KeyedItems, items: readonly unknown[]): readonly string[] {
  const keys: (string | undefined)[] = items.map(() => undefined)
  const left = new Set(before.keys.keys())
  const take = (index: number, former: number) => {
    keys[index] = before.keys[former]
    left.delete(former)
  }
  const start = countSame(before.items, items)
  for (let index = 0; index < start; index += 1) take(index, index)
  const end = countSameAtEnd(before.items, items, start)
  for (let back = 1; back <= end; back += 1) take(items.length - back, before.items.length - back)
  const takeEqual = (identityOf: (item: unknown) => unknown) => {
    const places = placesByIdentity([...left], (former) => identityOf(before.items[former]))
    for (const index of openIndexes(keys)) {
      const former = places.get(identityOf(items[index]))?.shift()
      if (former !== undefined) take(index, former)
    }
  }
  takeEqual((item) => item)
  takeEqual((item) => JSON.stringify(item))
  // If none has come or gone, the others have been edited.
  if (openIndexes(keys).length === left.size) {
    const edited = [...left]
    for (const [at, index] of openIndexes(keys).entries()) take(index, edited[at] ?? 0)
  }
  return keys.map((key) => key ?? newKey())
}

function placesByIdentity(places: readonly number[], identityAt: (place: number) => unknown): Map<unknown, number[]> {
  const found = new Map<unknown, number[]>()
  for (const place of places) {
    const identity = identityAt(place)
    const known = found.get(identity)
    if (known) known.push(place)
    else found.set(identity, [place])
  }
  return found
}

function newKey(): string {
  lastKey += 1
  return `item-${lastKey}`
}

function openIndexes(keys: readonly (string | undefined)[]): readonly number[] {
  return [...keys.keys()].filter((index) => keys[index] === undefined)
}

function countSame(before: readonly unknown[], items: readonly unknown[]): number {
  const shorter = Math.min(before.length, items.length)
  let count = 0
  while (count < shorter && Object.is(before[count], items[count])) count += 1
  return count
}

function countSameAtEnd(before: readonly unknown[], items: readonly unknown[], start: number): number {
  const shorter = Math.min(before.length, items.length) - start
  let count = 0
  while (count < shorter && Object.is(before.at(-1 - count), items.at(-1 - count))) count += 1
  return count
}
