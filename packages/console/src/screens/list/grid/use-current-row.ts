import { useLayoutEffect, useState } from "react"

/** A row: its record, if it has been read, and its number in the list. */
export interface Place {
  readonly id: string | null
  readonly index: number
}

interface CurrentRow {
  readonly currentIndex: number
  /** Undefined if the row has not been read yet. */
  readonly currentId: string | undefined
  readonly setCurrent: (place: Place) => void
}

interface Rows {
  readonly ids: readonly string[]
  readonly offset: number
  readonly length: number
  /** The row on which the list begins. */
  readonly returnTo: Place | null
}

/** Keeps the row on which a person is. It is found by its record; if that has gone, the next one is in its place. */
export function useCurrentRow({ ids, offset, length, returnTo }: Rows): CurrentRow {
  const [current, setCurrent] = useState<Place>(returnTo ?? { id: null, index: 0 })
  const found = current.id === null ? -1 : ids.indexOf(current.id)
  const currentIndex = Math.min(found < 0 ? current.index : found + offset, length - 1)
  const currentId = ids[currentIndex - offset]
  useLayoutEffect(() => {
    // A row that had not been read when a person came to it has a record now.
    if (found < 0 && currentId !== undefined) setCurrent({ id: currentId, index: currentIndex })
  }, [found, currentId, currentIndex])
  return { currentIndex, currentId, setCurrent }
}
