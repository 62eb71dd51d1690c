import type { CronPattern } from "../../schema/builders/cron-pattern.ts"

const DAY_MS = 86_400_000
// The number of days to search for a time that matches a cron pattern. From one 29 February to the next it can be eight
// years, such as from 1896 to 1904 or from 2096 to 2104.
const MAX_DAYS = 366 * 8 + 2
const HOURS_OF_DAY = 24

/** Returns the first time after `after` that matches the cron pattern. */
export function nextTick(pattern: CronPattern, after: Date): Date {
  const tick = search(pattern, after, { step: 1, find: (ticks) => ticks.find((at) => at > after.getTime()) })
  return new Date(tick)
}

/** Returns the last time at or before `upTo` that matches the cron pattern. */
export function lastTick(pattern: CronPattern, upTo: Date): Date {
  const tick = search(pattern, upTo, { step: -1, find: (ticks) => ticks.findLast((at) => at <= upTo.getTime()) })
  return new Date(tick)
}

interface Search {
  readonly step: 1 | -1
  readonly find: (ticks: readonly number[]) => number | undefined
}

// Searches day by day in the calendar of the pattern's time zone. Starts one day before the day of `around` (after it
// when searching backwards), because the UTC offset may shift a tick across midnight.
function search(pattern: CronPattern, around: Date, { step, find }: Search): number {
  const today = Math.floor((around.getTime() + offsetAt(pattern.timeZone, around.getTime())) / DAY_MS)
  for (let distance = -1; distance < MAX_DAYS; distance++) {
    const day = today + distance * step
    const tick = isDayOf(pattern, day) ? find(ticksOfDay(pattern, day)) : undefined
    if (tick !== undefined) return tick
  }
  throw new Error(`The cron pattern "${pattern.text}" never matches.`)
}

/** True if the pattern has ticks on this day. `day` is the number of days since 1970 in the time zone's calendar. */
function isDayOf({ months, daysOfMonth, daysOfWeek, matchesEitherDay }: CronPattern, day: number): boolean {
  const date = new Date(day * DAY_MS)
  if (!months.includes(date.getUTCMonth() + 1)) return false
  const isDayOfMonth = daysOfMonth.includes(date.getUTCDate())
  const isDayOfWeek = daysOfWeek.includes(date.getUTCDay())
  return matchesEitherDay ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek
}

function ticksOfDay(pattern: CronPattern, day: number): readonly number[] {
  const { timeZone, hours, minutes } = pattern
  const walls = hours.flatMap((hour) => minutes.map((minute) => day * DAY_MS + (hour * 60 + minute) * 60_000))
  const [before, after] = [offsetAt(timeZone, (day - 1) * DAY_MS), offsetAt(timeZone, (day + 2) * DAY_MS)]
  if (before === after) return walls.map((wall) => wall - before)
  const ticks = walls.flatMap((wall) => instantsOf(pattern, wall, { before, after }))
  return [...new Set(ticks)].sort((a, b) => a - b)
}

/**
 * Returns the instants at which a cron job with this pattern runs for one wall time (the time that local clocks show),
 * near a change of the UTC offset. If clocks skip the wall time, the job runs later by the length of the skip. If
 * clocks show it twice, the job runs only the first time, except for a pattern that runs in every hour: without the
 * second run it would pause for an hour.
 */
function instantsOf({ timeZone, hours }: CronPattern, wall: number, offsets: { before: number; after: number }) {
  const { before, after } = offsets
  const candidates = [wall - before, wall - after]
  const real = candidates.filter((instant) => instant + offsetAt(timeZone, instant) === wall)
  if (real.length === 0) return [wall - before]
  const earliest = Math.min(...real)
  return hours.length === HOURS_OF_DAY ? real : [earliest]
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the time zone's offset from UTC at this instant, in milliseconds. */
function offsetAt(timeZone: string, instant: number): number {
  if (timeZone === "UTC") return 0
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
  return wall - Math.floor(instant / 1000) * 1000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = "numeric"
  const made = new Intl.DateTimeFormat("en", {
    ...{ timeZone, hourCycle: "h23" },
    ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
  })
  formats.set(timeZone, made)
  return made
}
