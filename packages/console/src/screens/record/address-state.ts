import { useCallback } from "react"
import { useLocation, useSearch } from "wouter"
import { useAppIndex } from "../../kit/descriptions.ts"

/** Returns the locale whose texts are edited, which is in the address, and a function that changes it. */
export function useAddressLocale(): [locale: string, turn: (locale: string) => void] {
  const { locales } = useAppIndex()
  const [named, name] = useQueryMember("locale")
  const locale = locales.all.find((each) => each === named) ?? locales.default
  const turn = useCallback(
    (chosen: string) => name(chosen === locales.default ? null : chosen, { replace: true }),
    [name, locales.default],
  )
  return [locale, turn]
}

/** The open part of the history of a record: all versions as a list, one of them, or nothing. */
export type OpenVersion = number | "all" | null

/** Returns the version that is open, which is in the address, and a function that opens another one. Back closes it. */
export function useAddressVersion(): [version: OpenVersion, open: (version: OpenVersion) => void] {
  const [named, name] = useQueryMember("version")
  const number = Number(named)
  const version = named === null ? null : Number.isSafeInteger(number) && number > 0 ? number : "all"
  return [version, useCallback((opened) => name(opened === null ? null : String(opened)), [name])]
}

type NameMember = (value: string | null, settings?: { readonly replace: boolean }) => void

/** Returns a member of the query of the address, and a function that changes it. The others stay. */
function useQueryMember(member: string): [value: string | null, name: NameMember] {
  const query = useSearch()
  const [path, navigate] = useLocation()
  const name = useCallback<NameMember>(
    (value, settings) => {
      const changed = new URLSearchParams(query)
      if (value === null) changed.delete(member)
      else changed.set(member, value)
      navigate(withQuery(path, changed), settings)
    },
    [query, path, navigate, member],
  )
  return [new URLSearchParams(query).get(member), name]
}

/** Returns the address of a page that is to show the same locale as a form. */
export function inAddressLocale(
  path: string,
  { language }: { readonly language: { readonly locale: string; readonly isDefault: boolean } },
): string {
  const { locale, isDefault } = language
  return isDefault || locale === "" ? path : withQuery(path, new URLSearchParams({ locale }))
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString()
  return text === "" ? path : `${path}?${text}`
}
