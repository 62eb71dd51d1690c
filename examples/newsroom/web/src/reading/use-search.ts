import { useEffect, useState } from "react"
import { client } from "../client.ts"
import { useLanguage } from "../shell/language.ts"
import type { Language } from "../shell/stored-language.ts"

export interface SearchRequest {
  readonly query: string
  /** The id of a team, or undefined for all. */
  readonly team: string | undefined
  readonly kind: "news" | "report" | "opinion" | undefined
}

interface LocalizedRequest extends SearchRequest {
  readonly locale: Language
}

const TYPING_PAUSE_MS = 120
const MAX_RESULTS = 20

function search({ query, team, kind, locale }: LocalizedRequest, signal: AbortSignal) {
  const filter = { ...(team && { team }), ...(kind && { kind }) }
  return client.search.search(
    {
      query,
      locale,
      collections: ["articles"],
      where: { articles: filter },
      facets: [{ field: "team" }, { field: "kind" }],
      highlights: true,
      stage: "published",
      limit: MAX_RESULTS,
    },
    { signal },
  )
}

export type Found = Awaited<ReturnType<typeof search>>

export interface SearchState {
  /** The last result. It stays while the next one is on its way, so that the list does not flicker. */
  readonly found: Found | undefined
  readonly error: Error | undefined
  readonly isPending: boolean
}

/** Searches as someone types: after a short pause, and an answer that was overtaken by a later one is dropped. */
export function useSearch({ query, team, kind }: SearchRequest): SearchState {
  const { language: locale } = useLanguage()
  const [state, setState] = useState<SearchState>({ found: undefined, error: undefined, isPending: true })
  useEffect(() => {
    const ending = new AbortController()
    setState(({ found }) => ({ found, error: undefined, isPending: true }))
    const timer = setTimeout(() => {
      search({ query, team, kind, locale }, ending.signal).then(
        (found) => ending.signal.aborted || setState({ found, error: undefined, isPending: false }),
        (error) => ending.signal.aborted || setState({ found: undefined, error, isPending: false }),
      )
    }, TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [query, team, kind, locale])
  return state
}
