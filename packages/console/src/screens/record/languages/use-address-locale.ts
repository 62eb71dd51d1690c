import { useCallback } from "react"
import { useLocation, useSearch } from "wouter"
import { useAppIndex } from "../../../kit/descriptions.ts"

/** Returns the locale whose texts are edited, which is in the address, and a function that changes it. */
export function useAddressLocale(): [locale: string, turn: (locale: string) => void] {
  const { locales } = useAppIndex()
  const query = useSearch()
  const [path, navigate] = useLocation()
  const named = new URLSearchParams(query).get("locale")
  const locale = locales.all.find((each) => each === named) ?? locales.default
  const turn = useCallback(
    (chosen: string) => {
      const changed = new URLSearchParams(query)
      changed.delete("locale")
      if (chosen !== locales.default) changed.set("locale", chosen)
      navigate(withQuery(path, changed), { replace: true })
    },
    [query, path, navigate, locales.default],
  )
  return [locale, turn]
}

/** Returns the address of a page that is to show the same locale. */
export function inAddressLocale(
  path: string,
  store: { readonly language: { locale: string; isDefault: boolean } },
): string {
  const { locale, isDefault } = store.language
  return isDefault || locale === "" ? path : withQuery(path, new URLSearchParams({ locale }))
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString()
  return text === "" ? path : `${path}?${text}`
}
