import type { FoundTitles } from "kit/client"
import { useEffect, useState } from "react"
import { client } from "../kit/client.ts"

const LIMIT = 12

interface FoundState {
  /** The query of the answer. */
  readonly query: string
  readonly found: FoundTitles
  readonly error: Error | null
}

/** The records whose titles match, as they were found last. */
export interface TitleSearch extends FoundState {
  /** True while the answer is that of an earlier query. */
  readonly isSearching: boolean
  readonly retry: () => void
}

const NOTHING: FoundState = { query: "", found: { docs: [], notSearched: [] }, error: null }

/**
 * Searches the titles of all records. Each key is one request, which the next key aborts. The former answer stays until
 * the next one is there.
 */
export function useFoundTitles(typed: string): TitleSearch {
  const query = typed.trim().slice(0, MAX_LETTERS)
  const [state, setState] = useState(NOTHING)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (query === "") {
      setState(NOTHING)
      return undefined
    }
    const controller = new AbortController()
    // Another attempt is another run of the effect.
    void attempt
    client.search.findByTitle({ query, limit: LIMIT, drafts: true }, { signal: controller.signal }).then(
      (found) => setState({ query, found, error: null }),
      (error: Error) => {
        if (!controller.signal.aborted) setState({ query, found: NOTHING.found, error })
      },
    )
    return () => controller.abort()
  }, [query, attempt])
  return { ...state, isSearching: query !== state.query, retry: () => setAttempt((former) => former + 1) }
}

const MAX_LETTERS = 200
