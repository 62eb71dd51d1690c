import { useEffect, useState } from "react"

// If no screen says that it is shown, what waits for it begins nevertheless.
const LONGEST_WAIT_MS = 10_000

let resolveShown: () => void = () => {}
const shown = new Promise<void>((resolve) => {
  resolveShown = resolve
})
let isTimed = false

/** Says that the rows or the form of the screen are there, or that there are none. They are painted first. */
export function useFirstScreenShown(isShown: boolean): void {
  useEffect(() => {
    if (isShown) requestAnimationFrame(() => setTimeout(resolveShown))
  }, [isShown])
}

/** Resolves as soon as the first screen is there: icons, counts and fonts do not delay it. */
export function whenFirstScreenIsShown(): Promise<void> {
  if (!isTimed) setTimeout(resolveShown, LONGEST_WAIT_MS)
  isTimed = true
  return shown
}

/** Returns whether the first screen is there. */
export function useIsFirstScreenShown(): boolean {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    void whenFirstScreenIsShown().then(() => setIsShown(true))
  }, [])
  return isShown
}
