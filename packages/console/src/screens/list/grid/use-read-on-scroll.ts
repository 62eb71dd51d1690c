import { useEffect } from "react"
import { FAR_ROWS } from "../../../kit/list-window/list-window.ts"
import type { FollowedWindow } from "../../../kit/list-window/use-list-window.tsx"

interface ReadOnScroll {
  readonly list: FollowedWindow
  /** The rows in view, by their numbers in the whole list. */
  readonly range: { readonly startIndex: number; readonly endIndex: number } | null
  readonly length: number
  /** The number of records in the list; undefined while it is not known. */
  readonly count: number | undefined
}

// A scrollbar that is being dragged passes many places at which nobody wants to stop.
const SETTLE_MS = 120

/** Passes the rows in view to the window, which starts again where a person has scrolled far away. */
export function useReadOnScroll({ list, range, length, count }: ReadOnScroll): void {
  const { window, state, jump } = list
  const { offset, rows, isLoaded } = state
  const [first, last] = range ? [range.startIndex, range.endIndex] : [0, -1]
  useEffect(() => {
    if (isLoaded) window.setInView({ first: first - offset, last: last - offset })
  }, [window, isLoaded, first, last, offset])
  const isFar = last >= 0 && isLoaded && (first > offset + rows.length + FAR_ROWS || last < offset - FAR_ROWS)
  const isAtEnd = last === length - 1
  useEffect(() => {
    if (!isFar) return undefined
    const timer = setTimeout(() => void jump(isAtEnd && count !== undefined ? count : first, count), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isFar, isAtEnd, first, count, jump])
}
