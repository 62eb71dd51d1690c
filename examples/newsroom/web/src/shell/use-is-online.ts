import { useSyncExternalStore } from "react"

/** False while the browser knows that it has no network. That is sooner than a live query can notice it. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

function subscribe(listener: () => void): () => void {
  const events = ["online", "offline"]
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}
