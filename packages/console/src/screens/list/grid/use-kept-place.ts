import { type RefObject, useLayoutEffect, useRef } from "react"

interface KeptPlace {
  readonly grid: RefObject<HTMLDivElement | null>
  readonly ids: readonly string[]
  readonly offset: number
  readonly rowHeight: number
}

/** Keeps the rows in view where they are when others come or go above them. */
export function useKeptPlace({ grid, ids, offset, rowHeight }: KeptPlace): void {
  const former = useRef({ ids, offset })
  useLayoutEffect(() => {
    const { current } = grid
    const { ids: formerIds, offset: formerOffset } = former.current
    former.current = { ids, offset }
    if (current === null || (formerIds === ids && formerOffset === offset) || current.scrollTop === 0) return
    const top = Math.floor(current.scrollTop / rowHeight) - formerOffset
    // The first row in view may be one that has left: then the one below it keeps its place.
    const places = new Map(ids.map((id, place) => [id, place]))
    for (let at = Math.max(0, top); at < formerIds.length && at < top + 50; at += 1) {
      const place = places.get(formerIds[at] ?? "")
      if (place === undefined) continue
      const moved = place + offset - (at + formerOffset)
      if (moved !== 0) current.scrollTop += moved * rowHeight
      return
    }
  }, [grid, ids, offset, rowHeight])
}
