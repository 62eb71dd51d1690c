import { useMemo } from "react"
import { useLanguage } from "../shell/language.tsx"

/** Writes points in time in the language of the page: a short day, and the time. */
export function useMoments(): Intl.DateTimeFormat {
  const { language } = useLanguage()
  return useMemo(
    () =>
      new Intl.DateTimeFormat(language, {
        weekday: "short",
        day: "numeric",
        month: "short",
        hour: "numeric",
        minute: "2-digit",
      }),
    [language],
  )
}
