import { useEffect, useSyncExternalStore } from "react"

// A stream that is restored within this time is no news.
const PATIENCE_MS = 4000

const stale = new Set<object>()
const listeners = new Set<() => void>()
let lostAt: Date | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Reports that what a screen shows is not followed at the moment, because the connection is away. */
export function useReportedStaleness(isStale: boolean): void {
  useEffect(() => {
    if (!isStale) return undefined
    const source = {}
    stale.add(source)
    check()
    return () => {
      stale.delete(source)
      check()
    }
  }, [isStale])
}

/** Returns since when there has been no connection; null while there is one. */
export function useLostConnection(): Date | null {
  return useSyncExternalStore(subscribe, () => lostAt)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener("online", check)
    addEventListener("offline", check)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    removeEventListener("online", check)
    removeEventListener("offline", check)
  }
}

function check(): void {
  const isAway = stale.size > 0 || !navigator.onLine
  if (!isAway) {
    clearTimeout(timer)
    timer = undefined
    show(null)
  } else if (lostAt === null && timer === undefined) {
    const since = new Date()
    timer = setTimeout(() => show(since), navigator.onLine ? PATIENCE_MS : 0)
  }
}

function show(since: Date | null): void {
  lostAt = since
  for (const listener of listeners) listener()
}
