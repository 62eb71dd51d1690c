// If no screen says that it is shown, what waits for it begins nevertheless.
const LONGEST_WAIT_MS = 3000

let resolveShown: () => void = () => {}
const shown = new Promise<void>((resolve) => {
  resolveShown = resolve
})
let isTimed = false

/** Says that the rows or the form of the screen are there. */
export function markFirstScreenShown(): void {
  resolveShown()
}

/** Resolves as soon as the first screen is there: icons and counts do not delay it. */
export function whenFirstScreenIsShown(): Promise<void> {
  if (!isTimed) setTimeout(resolveShown, LONGEST_WAIT_MS)
  isTimed = true
  return shown
}
