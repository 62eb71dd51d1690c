import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react"

/** A drag of an item: where it came from, and the place before which it would be dropped. */
export interface ItemDrag {
  readonly from: number
  readonly before: number
}

// While the pointer is this near to the edge of what scrolls, it scrolls.
const EDGE_PX = 48
const SCROLL_PX = 12

/**
 * Moves items by dragging their handles, with a mouse, a pen or a finger. Returns the drag as it is, and the function
 * that a handle calls when it is pressed. Escape ends a drag without a move.
 */
export function useItemDrag(place: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<ItemDrag | null>(null)
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])

  function start(event: PointerEvent, from: number) {
    if (event.button !== 0 || !place.current) return
    event.preventDefault()
    const list = place.current
    const scroller = scrollerOf(list)
    let pointerY = event.clientY
    let before = from
    const follow = () => {
      before = placeAt(list, pointerY) ?? before
      setDrag((current) => (current?.before === before ? current : { from, before }))
    }
    const move = (moved: globalThis.PointerEvent) => {
      pointerY = moved.clientY
      follow()
    }
    const drop = () => {
      end.current?.()
      onMove(from, before > from ? before - 1 : before)
    }
    const press = (pressed: KeyboardEvent) => pressed.key === "Escape" && end.current?.()
    const timer = setInterval(() => scrollNearEdge(scroller, pointerY) && follow(), 16)
    const ended = new AbortController()
    end.current = () => {
      clearInterval(timer)
      ended.abort()
      setDrag(null)
      end.current = undefined
    }
    const options = { signal: ended.signal }
    addEventListener("pointermove", move, options)
    addEventListener("pointerup", drop, options)
    addEventListener("pointercancel", () => end.current?.(), options)
    addEventListener("keydown", press, options)
  }

  return { drag, start }
}

/** Returns the index of the item before which the pointer is; the number of items at the end of the list. */
function placeAt(list: HTMLElement, y: number): number | undefined {
  const items = [...list.querySelectorAll<HTMLElement>("[data-item]")].filter(
    (item) => item.closest("[data-items]") === list,
  )
  const next = items.find((item) => {
    const { top, height } = item.getBoundingClientRect()
    return y < top + height / 2
  })
  if (next) return Number(next.dataset["item"])
  const last = items.at(-1)
  return last && Number(last.dataset["item"]) + 1
}

function scrollNearEdge(scroller: HTMLElement, y: number): boolean {
  const { top, bottom } = scroller.getBoundingClientRect()
  const visibleTop = Math.max(top, 0)
  const visibleBottom = Math.min(bottom, innerHeight)
  const step = y < visibleTop + EDGE_PX ? -SCROLL_PX : y > visibleBottom - EDGE_PX ? SCROLL_PX : 0
  if (step !== 0) scroller.scrollBy(0, step)
  return step !== 0
}

function scrollerOf(element: HTMLElement): HTMLElement {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const isScroller = /auto|scroll/.test(getComputedStyle(at).overflowY)
    if (isScroller && at.scrollHeight > at.clientHeight) return at
  }
  return document.documentElement
}
