import type { Place } from "./grid/use-current-row.ts"
import { type ListState, listQuery } from "./list-state.ts"

// The rows from which records were opened in this page, by the address of the list.
const places = new Map<string, Place>()

/** The row of a list to which a person comes back from a record. */
export class ListPlace {
  readonly key: string
  /** The row from which a record was last opened; null if the list is new. */
  readonly kept: Place | null

  constructor(collection: string, state: ListState) {
    this.key = `${collection}${listQuery(state)}`
    this.kept = places.get(this.key) ?? null
  }

  keep(place: Place): void {
    places.set(this.key, place)
  }
}
