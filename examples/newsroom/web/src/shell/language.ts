import { useLocale } from "kit/react"
import { useMemo } from "react"
import { client } from "../client.ts"
import { EN, type Words } from "../words/en.ts"
import { SK } from "../words/sk.ts"
import { type Language, storeLanguage } from "./stored-language.ts"

const WORDS: Readonly<Record<Language, Words>> = { en: EN, sk: SK }

interface ShownLanguage {
  readonly language: Language
  choose(language: Language): void
}

/** The language of the page is the locale of the client, so the texts of articles are in the same one. */
export function useLanguage(): ShownLanguage {
  const { locale = "en", setLocale } = useLocale(client)
  const choose = (chosen: Language) => {
    storeLanguage(chosen)
    setLocale(chosen)
  }
  return { language: locale, choose }
}

/** The words of the interface in the reader's language. */
export function useWords(): Words {
  return WORDS[useLanguage().language]
}

/** Functions that write dates in the reader's language. */
export function useDates() {
  const { language } = useLanguage()
  return useMemo(() => {
    const day = new Intl.DateTimeFormat(language, { dateStyle: "long" })
    const today = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
    const month = new Intl.DateTimeFormat(language, { month: "long", year: "numeric" })
    const dayOfMonth = new Intl.DateTimeFormat(language, { day: "numeric" })
    const weekday = new Intl.DateTimeFormat(language, { weekday: "short" })
    const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
    return {
      day: (date: Date) => day.format(date),
      today: (date: Date) => today.format(date),
      month: (date: Date) => month.format(date),
      dayOfMonth: (date: Date) => dayOfMonth.format(date),
      weekday: (date: Date) => weekday.format(date),
      /** The day and the time. */
      moment: (date: Date) => moment.format(date),
      /** "3 hours ago", "yesterday", then the day. */
      ago: (date: Date, now = new Date()) => agoText(relative, now.getTime() - date.getTime()) ?? day.format(date),
    }
  }, [language])
}

/** A function that writes numbers in the reader's language. */
export function useNumbers(): (number: number) => string {
  const { language } = useLanguage()
  return useMemo(() => {
    const format = new Intl.NumberFormat(language)
    return (number) => format.format(number)
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
