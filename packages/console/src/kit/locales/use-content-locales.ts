import { useMemo } from "react"
import { useAppIndex } from "../descriptions.ts"
import { useFormats } from "../formats.ts"
import { type ContentLocale, contentLocales } from "./content-locales.ts"

/** Returns the languages of the app's content, the default one first. */
export function useContentLocales(): readonly ContentLocale[] {
  const { locales } = useAppIndex()
  const { locale: language } = useFormats()
  return useMemo(() => contentLocales(locales, language), [locales, language])
}
