/** A form with changes that would be lost if the person left it. */
interface Guard {
  readonly isDirty: () => boolean
  /** Asks whether to leave, and resolves with the answer. */
  readonly ask: () => Promise<boolean>
}

const guards = new Set<Guard>()

/** Guards a form. Returns a function that ends it. */
export function addLeaveGuard(guard: Guard): () => void {
  guards.add(guard)
  return () => {
    guards.delete(guard)
  }
}

/** Resolves with whether the person may leave: nothing is unsaved, or it may be lost. */
export function mayLeave(): Promise<boolean> {
  return dirtyGuard()?.ask() ?? Promise.resolve(true)
}

/** For the `aroundNav` of the router: navigates as soon as the person may leave. */
export function aroundNavigation<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  const leaves = pathOf(to) !== location.pathname
  if (!leaves || dirtyGuard() === undefined) {
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

// The address of the page, as long as the person has not left it. The browser has left it already at the event of Back.
let guardedAddress = ""

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
  const isSamePage = pathOf(guardedAddress) === location.pathname
  if (isLeavingNow || isSamePage || dirtyGuard() === undefined) {
    isLeavingNow = false
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

function pathOf(address: string): string {
  return new URL(address, location.href).pathname
}
