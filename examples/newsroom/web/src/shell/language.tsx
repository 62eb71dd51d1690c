import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react"
import { client } from "../client.ts"
import { EN, type Words } from "../words/en.ts"
import { SK } from "../words/sk.ts"
import { type Language, storedLanguage, storeLanguage } from "./stored-language.ts"

const WORDS: Readonly<Record<Language, Words>> = { en: EN, sk: SK }

interface LanguageState {
  readonly language: Language
  readonly words: Words
  choose(language: Language): void
}

const LanguageContext = createContext<LanguageState | undefined>(undefined)

/** Provides the language of the page. The client reads records in the same one. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(storedLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const state = useMemo(() => {
    const choose = (chosen: Language) => {
      storeLanguage(chosen)
      client.setLocale(chosen)
      setLanguage(chosen)
    }
    return { language, words: WORDS[language], choose }
  }, [language])
  return <LanguageContext value={state}>{children}</LanguageContext>
}

export function useLanguage(): LanguageState {
  const state = use(LanguageContext)
  if (state === undefined) throw new Error("There is no LanguageProvider above this component.")
  return state
}

/** The words of the interface in the reader's language. */
export function useWords(): Words {
  return useLanguage().words
}

/** Functions that write dates in the reader's language. */
export function useDates() {
  const { language } = useLanguage()
  return useMemo(() => {
    const day = new Intl.DateTimeFormat(language, { dateStyle: "long" })
    const today = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
    return {
      day: (date: Date) => day.format(date),
      today: (date: Date) => today.format(date),
      /** "3 hours ago", "yesterday", then the day. */
      ago: (date: Date, now = new Date()) => agoText(relative, now.getTime() - date.getTime()) ?? day.format(date),
    }
  }, [language])
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

function agoText(relative: Intl.RelativeTimeFormat, ms: number): string | undefined {
  if (ms < HOUR_MS) return relative.format(-Math.max(0, Math.round(ms / MINUTE_MS)), "minute")
  if (ms < DAY_MS) return relative.format(-Math.floor(ms / HOUR_MS), "hour")
  return ms < 2 * DAY_MS ? relative.format(-1, "day") : undefined
}
