import { useEffect } from "react"
import { confirm } from "../parts/dialog.tsx"
import { useWords, type Words } from "../words/words.ts"

interface Guard {
  readonly isDirty: () => boolean
  readonly words: Words["record"]
}

const guards = new Set<Guard>()

/** Asks before the person leaves a form with unsaved changes: by a link, by Back, by closing the page. */
export function useLeaveGuard(isDirty: () => boolean): void {
  const words = useWords("record")
  useEffect(() => {
    const guard = { isDirty, words }
    guards.add(guard)
    return () => {
      guards.delete(guard)
    }
  }, [isDirty, words])
}

/** Resolves with whether the person may leave: nothing is unsaved, or it may be lost. */
export async function mayLeave(): Promise<boolean> {
  const guard = dirtyGuard()
  if (guard === undefined) return true
  const { leaveTitle, leaveText, leave } = guard.words
  return confirm({ title: leaveTitle, text: leaveText, action: leave, danger: true })
}

/** For the `aroundNav` of the router: navigates as soon as the person may leave. */
export function aroundNavigation<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  if (dirtyGuard() === undefined) {
    navigate(to, options)
    return
  }
  void mayLeave().then((isLeaving) => {
    if (isLeaving) navigate(to, options)
  })
}

function dirtyGuard(): Guard | undefined {
  return [...guards].find(({ isDirty }) => isDirty())
}

// The address of the page, as long as the person has not left it. The browser has left it already when it tells of Back.
let guardedAddress: string | null = null

// True from the answer to the question until the browser has gone back.
let isLeavingNow = false

/**
 * Guards Back and Forward, and the end of the page. It has to be called before the router listens, because the router
 * must not hear of a Back that is asked about first.
 */
export function guardHistory(): void {
  guardedAddress = location.href
  window.addEventListener("popstate", askBeforeBack)
  for (const type of ["pushState", "replaceState"]) {
    window.addEventListener(type, () => {
      guardedAddress = location.href
    })
  }
  window.addEventListener("beforeunload", (event) => {
    if (dirtyGuard() !== undefined) event.preventDefault()
  })
}

// Shows the address of the form again, in a new entry of the history, so that going back by one leads to where the
// person wanted to go.
function askBeforeBack(event: PopStateEvent): void {
  if (isLeavingNow) {
    isLeavingNow = false
    guardedAddress = location.href
    return
  }
  const isSamePage = guardedAddress === null || new URL(guardedAddress).pathname === location.pathname
  if (isSamePage || guardedAddress === null || dirtyGuard() === undefined) {
    guardedAddress = location.href
    return
  }
  event.stopImmediatePropagation()
  history.pushState(null, "", guardedAddress)
  void mayLeave().then((isLeaving) => {
    if (!isLeaving) return
    isLeavingNow = true
    history.back()
  })
}
