const IN_HASH = /^#setup=(.+)$/

let token: string | null = null
const listeners = new Set<() => void>()

/** Returns the token of the link that leads to the set-up, or null. */
export function setUpToken(): string | null {
  return token
}

export function forgetSetUpToken(): void {
  token = null
  notify()
}

/** Calls back when the address has got another token. Returns an unsubscribe function. */
export function onSetUpToken(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The token is removed from the address and the history of the browser, so that nobody finds it there later.
function takeFromAddress(): void {
  const [, found] = IN_HASH.exec(location.hash) ?? []
  if (found === undefined) return
  history.replaceState(history.state, "", `${location.pathname}${location.search}`)
  token = decodeURIComponent(found)
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

takeFromAddress()
// The link may also be pasted into a tab in which the console is open.
addEventListener("hashchange", takeFromAddress)
