/** The lines of a text at which something floats, in the coordinates of the window. */
interface Lines {
  readonly top: number
  readonly bottom: number
}

interface Floating {
  readonly lines: Lines
  /** The middle of the element, or its left edge if it is a menu below the cursor. */
  readonly left: number
  readonly prefers: "above" | "below"
}

const GAP_PX = 8
// The bar of the sheet would cover it.
const BAR_PX = 60

/** Puts an element above or below lines of the text around it, where there is room in the window. */
export function placeFloating(element: HTMLElement, { lines, left, prefers }: Floating): void {
  const around = element.offsetParent
  if (!around) return
  const frame = around.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = element
  const hasRoomAbove = lines.top - GAP_PX - offsetHeight > BAR_PX
  const hasRoomBelow = lines.bottom + GAP_PX + offsetHeight < innerHeight
  const isAbove = prefers === "above" ? hasRoomAbove || !hasRoomBelow : hasRoomAbove && !hasRoomBelow
  element.style.left = `${Math.max(0, Math.min(left - frame.left, frame.width - offsetWidth))}px`
  element.style.top = `${(isAbove ? lines.top - GAP_PX : lines.bottom + GAP_PX) - frame.top}px`
  // Above, it grows upwards.
  element.style.translate = isAbove ? "0 -100%" : "none"
}
