import { SCREEN_ID } from "./screen-id.ts"

/**
 * Moves the focus to the screen whenever the element that had it goes away: the button of a selection, the grid of another
 * list, a record that has been deleted. Otherwise a person at the keyboard would begin at the top of the page again.
 */
export function keepFocus(): void {
  let last: Element | null = null
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : null
  })
  const isLost = () => last !== null && !last.isConnected && document.activeElement === document.body
  const find = () => {
    if (isLost()) placeOfScreen()?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    // A dialog that closes gives the focus back in the next frame.
    if (isLost()) requestAnimationFrame(() => requestAnimationFrame(find))
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

function placeOfScreen(): HTMLElement | null {
  const screen = document.getElementById(SCREEN_ID)
  return screen?.querySelector<HTMLElement>("[role=grid]") ?? screen
}
