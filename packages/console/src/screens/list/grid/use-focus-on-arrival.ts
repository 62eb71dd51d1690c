import { type RefObject, useEffect } from "react"
import { SCREEN_ID } from "../../../shell/screen-id.ts"

/** Takes the focus of a person who comes back from a record, or has chosen the list in the sidebar. */
export function useFocusOnArrival(grid: RefObject<HTMLElement | null>, isReturn: boolean): void {
  useEffect(() => {
    const { activeElement } = document
    const isFree = activeElement === document.body ? isReturn : activeElement?.id === SCREEN_ID
    if (isFree) grid.current?.focus({ preventScroll: true })
  }, [grid, isReturn])
}
