import { SCREEN_ID } from "./screen-id.ts"

/**
 * Moves the focus to the screen whenever the element that had it goes away: the button of a selection, the grid of another
 * list, a record that has been deleted, the sign-in. Otherwise a person at the keyboard would begin at the top of the page
 * again. Returns a function that ends it.
 */
export function keepFocus(): () => void {
  let last: Element | null = null
  const note = ({ target }: FocusEvent) => {
    last = target instanceof Element ? target : null
  }
  // Before the first focus: a person who has signed in has pressed something, and one who has loaded the page has not.
  const isGone = () => (last ? !last.isConnected : navigator.userActivation.hasBeenActive)
  const isLost = () => document.activeElement === document.body && isGone()
  const find = () => {
    if (isLost()) placeOfScreen()?.focus({ preventScroll: true })
  }
  // A dialog that closes gives the focus back in the next frame.
  const findLater = () => void (isLost() && requestAnimationFrame(() => requestAnimationFrame(find)))
  const observer = new MutationObserver(findLater)
  document.addEventListener("focusin", note)
  observer.observe(document.body, { childList: true, subtree: true })
  findLater()
  return () => {
    observer.disconnect()
    document.removeEventListener("focusin", note)
  }
}

function placeOfScreen(): HTMLElement | null {
  const screen = document.getElementById(SCREEN_ID)
  return screen?.querySelector<HTMLElement>("[role=grid]") ?? screen
}
