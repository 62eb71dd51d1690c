import { type AnchorHTMLAttributes, type MouseEvent, useMemo, useSyncExternalStore } from "react"

// The address bar is the only state of the router. This event is sent when a script has changed it.
const MOVED = "newsroom:moved"

/** Opens an address of this page. `replace` leaves no entry in the history, as while someone types a search. */
export function navigate(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", address)
  else history.pushState(null, "", address)
  window.dispatchEvent(new Event(MOVED))
  if (!replace) window.scrollTo(0, 0)
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
    return { path: url.pathname, query: url.searchParams }
  }, [address])
}

function subscribe(listener: () => void): () => void {
  const events = ["popstate", MOVED]
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}

export type Params = Readonly<Record<string, string>>

/** Returns the variable segments of a path by name, or undefined if it does not fit: `/articles/:slug`. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const expected = pattern.split("/")
  const given = path.replace(/(?<=.)\/$/, "").split("/")
  if (expected.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of expected.entries()) {
    const segment = given[index] ?? ""
    if (name.startsWith(":")) params[name.slice(1)] = decodeSegment(segment)
    else if (name !== segment) return undefined
  }
  return params
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
