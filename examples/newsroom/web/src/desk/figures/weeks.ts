import { useMemo } from "react"
import { useLanguage } from "../../shell/language.ts"

/** The paper is made there. Its weeks and days begin when they do in this city. */
export const TIME_ZONE = "Europe/Bratislava"

/** The figures are those of so many weeks. */
export const WEEKS = 12

const DAY_MS = 86_400_000
const DAYS_A_WEEK = 7

/** Returns the Mondays of the last weeks, the current one included, as an aggregate names them: `2026-05-04`. */
export function lastWeeks(now = new Date()): readonly string[] {
  // This locale writes a day as 2026-05-04. Days are then counted in UTC, where each has 24 hours.
  const today = new Date(new Intl.DateTimeFormat("en-CA", { timeZone: TIME_ZONE }).format(now))
  const daysSinceMonday = (today.getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK
  return Array.from({ length: WEEKS }, (_none, index) => {
    const daysAgo = daysSinceMonday + DAYS_A_WEEK * (WEEKS - 1 - index)
    return new Date(today.getTime() - daysAgo * DAY_MS).toISOString().slice(0, "2026-05-04".length)
  })
}

/** Returns the moment at which a day begins in the time zone. */
export function beginningOf(day: string): Date {
  const noon = new Date(`${day}T12:00:00Z`)
  const parts = new Intl.DateTimeFormat("en", { timeZone: TIME_ZONE, timeZoneName: "longOffset" }).formatToParts(noon)
  // "GMT+02:00", and "GMT" alone where there is no offset.
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value.slice("GMT".length) || "Z"
  return new Date(`${day}T00:00:00${offset}`)
}

/** A function that names a week by its Monday, in the reader's language: "May 4". */
export function useWeekNames(): (monday: string) => string {
  const { language } = useLanguage()
  return useMemo(() => {
    const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" })
    return (monday) => day.format(new Date(monday))
  }, [language])
}
