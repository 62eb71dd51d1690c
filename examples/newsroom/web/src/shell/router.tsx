import { type AnchorHTMLAttributes, type MouseEvent, useMemo, useSyncExternalStore } from "react"
import { storeScroll } from "./use-scroll-restoration.ts"

// The address bar is the only state of the router. This event is sent when a script has changed it.
const MOVED = "newsroom:moved"

/** Opens an address of this page. `replace` leaves no entry in the history, as while someone types a search. */
export function navigate(address: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, "", address)
  } else {
    storeScroll()
    history.pushState(null, "", address)
    window.scrollTo(0, 0)
  }
  window.dispatchEvent(new Event(MOVED))
}

export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

/** The address that is shown. */
export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  return useMemo(() => {
    const url = new URL(address, location.origin)
    // A slash at the end of an address means the same page.
    return { path: url.pathname.replace(/(?<=.)\/+$/, ""), query: url.searchParams }
  }, [address])
}

function subscribe(listener: () => void): () => void {
  const events = ["popstate", MOVED]
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}

/** Returns the segment of a path below a folder, or undefined if it is not there: `b` of `/a/b` below `/a`. */
export function segmentBelow(folder: string, path: string): string | undefined {
  const [segment, ...others] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/") : []
  return segment && others.length === 0 ? decodeSegment(segment) : undefined
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string
}

/** A link to another address of this page. It is an ordinary link to those who open it in a new tab. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || opensElsewhere || rest.target !== undefined) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
