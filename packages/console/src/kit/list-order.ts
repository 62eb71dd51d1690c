import { listPath } from "../routes.ts"

/** The rows of a list that is left for one of its records, as far as the list has loaded them. */
interface ListOrder {
  readonly collection: string
  /** The address of the list, with its filter and its order. */
  readonly address: string
  readonly ids: readonly string[]
  /** The number of rows before the loaded ones. */
  readonly offset: number
  /** The number of all rows; null if it is not known exactly. */
  readonly total: number | null
}

/** The place of a record in the list from which it was opened. */
interface PlaceInList {
  readonly previous: string | null
  readonly next: string | null
  /** Counted from 1. */
  readonly number: number
  readonly total: number | null
}

let lastList: ListOrder | null = null

/** Keeps the order of a list, so that a record that is opened from it can lead to the next one, and back. */
export function keepListOrder(list: ListOrder): void {
  lastList = list
}

/** Returns the record's place in the list that was shown last, or null if it was not in it. */
export function placeInList(collection: string, id: string): PlaceInList | null {
  if (lastList?.collection !== collection) return null
  const { ids, offset, total } = lastList
  const index = ids.indexOf(id)
  if (index === -1) return null
  return { previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null, number: offset + index + 1, total }
}

/** Returns the address of the collection's list as it was shown last, with its filter and its order. */
export function listAddress(collection: string): string {
  return lastList?.collection === collection ? lastList.address : listPath(collection)
}
