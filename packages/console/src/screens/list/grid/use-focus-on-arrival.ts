import { type RefObject, useEffect } from "react"
import { SCREEN_ID } from "../../../shell/screen-id.ts"

/**
 * Takes the focus of a person who comes back from a record, has chosen the list in the sidebar, or presses an arrow while
 * nothing has the focus.
 */
export function useFocusOnArrival(grid: RefObject<HTMLElement | null>, isReturn: boolean): void {
  useEffect(() => {
    const { activeElement } = document
    const isFree = activeElement === document.body ? isReturn : activeElement?.id === SCREEN_ID
    if (isFree) grid.current?.focus({ preventScroll: true })
  }, [grid, isReturn])
  useEffect(() => {
    function enter(event: KeyboardEvent) {
      const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp"
      if (!isArrow || event.target !== document.body || event.defaultPrevented) return
      event.preventDefault()
      grid.current?.focus()
    }
    document.addEventListener("keydown", enter)
    return () => document.removeEventListener("keydown", enter)
  }, [grid])
}
