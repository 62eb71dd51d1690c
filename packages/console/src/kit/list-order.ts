/** The records of a list in their order, as far as the list has loaded them. */
interface ListOrder {
  readonly collection: string
  readonly ids: readonly string[]
}

/** A record's neighbours in the list from which it was opened. */
export interface Neighbours {
  readonly previous: string | null
  readonly next: string | null
}

let lastList: ListOrder | null = null

/** Keeps the order of the list that is shown, so that a record that is opened from it can lead to the next one. */
export function keepListOrder(collection: string, ids: readonly string[]): void {
  lastList = { collection, ids }
}

/** Returns the record's neighbours in the list that was shown last, or null if it was not in it. */
export function neighboursOf(collection: string, id: string): Neighbours | null {
  if (lastList?.collection !== collection) return null
  const { ids } = lastList
  const place = ids.indexOf(id)
  if (place === -1) return null
  return { previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null }
}
