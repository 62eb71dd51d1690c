import type { AdminUser } from "kit/client"
import { useCallback, useEffect, useRef, useState } from "react"
import { client } from "../../kit/client.ts"
import { PAGE_SIZE } from "./people-code.ts"

// A search waits until the person has paused, so that not every key is a request.
const PAUSE_MS = 200

interface People {
  /** The accounts that have been read; undefined before the first ones are there. */
  readonly users: readonly AdminUser[] | undefined
  /** The number of all accounts that match. */
  readonly total: number
  readonly error: Error | undefined
  /** Reads again, for example after a change. */
  readonly reload: () => void
  /** Reads the next ones, too. */
  readonly showMore: () => void
}

interface Found {
  readonly users: readonly AdminUser[]
  readonly total: number
}

/** Reads the accounts whose name or address contains the text. The former ones stay until the new ones are there. */
export function usePeople(search: string): People {
  const [found, setFound] = useState<Found>()
  const [error, setError] = useState<Error>()
  // A new object reads again, also for the same limit.
  const [asked, setAsked] = useState({ limit: PAGE_SIZE })
  const hasShown = useRef(false)
  useEffect(() => {
    const ended = new AbortController()
    const read = async () => {
      try {
        const page = await client.auth.admin.list({ search, limit: asked.limit }, { signal: ended.signal })
        hasShown.current = true
        setFound(page)
        setError(undefined)
      } catch (failure) {
        if (!ended.signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)))
      }
    }
    const timer = setTimeout(() => void read(), hasShown.current ? PAUSE_MS : 0)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [search, asked])
  return {
    users: found?.users,
    total: found?.total ?? 0,
    error,
    reload: useCallback(() => setAsked((former) => ({ ...former })), []),
    showMore: useCallback(() => setAsked(({ limit }) => ({ limit: limit + PAGE_SIZE })), []),
  }
}
