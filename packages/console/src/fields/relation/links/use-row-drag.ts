import { type PointerEvent, type RefObject, useEffect, useState } from "react"

interface Drag {
  readonly id: string
  /** The row over which the dragged one is. */
  readonly over: string
}

export interface RowDrag {
  readonly drag: Drag | null
  /** The handlers of the handle of a row. */
  readonly handleOf: (id: string) => {
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
  }
}

/** Orders the rows of a list by dragging a handle. Rows name themselves in `data-id`. Escape takes the drag back. */
export function useRowDrag(list: RefObject<HTMLElement | null>, onMove: (id: string, at: string) => void): RowDrag {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragging = drag !== null
  useEffect(() => {
    if (!isDragging) return undefined
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      event.stopPropagation()
      setDrag(null)
    }
    document.addEventListener("keydown", cancel, { capture: true })
    return () => document.removeEventListener("keydown", cancel, { capture: true })
  }, [isDragging])
  return {
    drag,
    handleOf: (id) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ id, over: id })
      },
      onPointerMove: ({ clientY }) => {
        const over = drag && rowAt(list.current, clientY)
        if (over && over !== drag.over) setDrag({ id, over })
      },
      onPointerUp: () => {
        if (drag && drag.over !== drag.id) onMove(drag.id, drag.over)
        setDrag(null)
      },
      onPointerCancel: () => setDrag(null),
    }),
  }
}

/** Returns the id of the row at a height of the screen: the first or the last one above or below all of them. */
function rowAt(list: HTMLElement | null, y: number): string | undefined {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-id]") ?? [])]
  const row = rows.find((candidate) => y < candidate.getBoundingClientRect().bottom) ?? rows.at(-1)
  return row?.dataset["id"]
}
