import type { Formats } from "./formats.ts"

interface PastWords {
  readonly now: string
  readonly minutes: (count: number) => string
  readonly today: (time: string) => string
  readonly yesterday: string
  readonly tomorrow: string
}

const MINUTE_MS = 60_000

/** Writes a moment as people do: "now", "4 min", "today, 07:58", "yesterday", "17 Nov", "17 Nov 2024". */
export function shortMoment(
  moment: Date,
  now: number,
  { words, formats }: { words: PastWords; formats: Formats },
): string {
  const minutes = Math.floor((now - moment.getTime()) / MINUTE_MS)
  // A clock of a server that is a little ahead does not make a change lie in the future.
  if (minutes >= -1 && minutes < 1) return words.now
  if (minutes >= 1 && minutes < 60) return words.minutes(minutes)
  const present = new Date(now)
  const days = dayNumber(moment) - dayNumber(present)
  if (days === 0) return words.today(formats.time.format(moment))
  if (days === -1) return words.yesterday
  if (days === 1) return words.tomorrow
  const isThisYear = moment.getFullYear() === present.getFullYear()
  return (isThisYear ? formats.dayOfYear : formats.day).format(moment)
}

// The number of the day in the zone of the person.
function dayNumber(moment: Date): number {
  return Math.round(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / 86_400_000)
}
