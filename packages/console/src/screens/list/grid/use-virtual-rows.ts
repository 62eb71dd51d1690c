import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual"
import { type RefObject, useEffect, useRef } from "react"
import type { Place } from "./use-current-row.ts"

interface VirtualRows {
  readonly grid: RefObject<HTMLDivElement | null>
  readonly ids: readonly string[]
  readonly offset: number
  readonly length: number
  readonly rowHeight: number
  readonly currentIndex: number
  readonly returnTo: Place | null
}

// Rows that are drawn beyond the edges, so that a quick wheel meets no empty paper.
const OVERSCAN = 8
const HEAD_HEIGHT = 32
// The rows that are shown above the one to which a person comes back.
const ROWS_ABOVE = 3

/** Says which rows are drawn: those in view, and the one on which the person is, wherever it is. */
export function useVirtualRows(rows: VirtualRows): Virtualizer<HTMLDivElement, Element> {
  const { grid, ids, offset, length, rowHeight, currentIndex, returnTo } = rows
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollPaddingStart: HEAD_HEIGHT,
    initialOffset: returnTo ? Math.max(0, (returnTo.index - ROWS_ABOVE) * rowHeight) : 0,
    getItemKey: (index) => ids[index - offset] ?? `waiting-${index}`,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      if (drawn.includes(currentIndex) || currentIndex < 0) return drawn
      return [...drawn, currentIndex].sort((one, other) => one - other)
    },
  })
  const measured = useRef(rowHeight)
  useEffect(() => {
    if (measured.current === rowHeight) return
    measured.current = rowHeight
    virtualizer.measure()
  }, [virtualizer, rowHeight])
  return virtualizer
}
