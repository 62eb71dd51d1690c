import { useCallback, useMemo } from "react"
import { useLocation, useSearch } from "wouter"
import { useAppIndex } from "../../kit/descriptions.ts"
import { listPath } from "../../routes.ts"
import { type ListState, listQuery, parseListState } from "./list-state.ts"

/** Changes the state in a step that Back takes back. With `isTyping` the step replaces the one before. */
export type ChangeListState = (change: Partial<ListState>, settings?: { readonly isTyping?: boolean }) => void

/** Returns the state of a list, which is all in the address, and a function that changes it. */
export function useListState(collection: string): [state: ListState, change: ChangeListState] {
  const query = useSearch()
  const [, navigate] = useLocation()
  const { locales } = useAppIndex()
  const state = useMemo(() => {
    const parsed = parseListState(query)
    const isKnown = parsed.locale === null || locales.all.includes(parsed.locale)
    return isKnown ? parsed : { ...parsed, locale: null }
  }, [query, locales])
  const change = useCallback<ChangeListState>(
    (changed, { isTyping = false } = {}) => {
      navigate(`${listPath(collection)}${listQuery({ ...state, ...changed })}`, { replace: isTyping })
    },
    [collection, state, navigate],
  )
  return [state, change]
}
