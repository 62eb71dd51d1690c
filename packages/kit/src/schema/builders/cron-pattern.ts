/** The times at which a cron job is due, as five calendar fields in one time zone. */
export interface CronPattern {
  readonly text: string
  readonly timeZone: string
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[]
  /** Months from 1 (January) to 12 (December). */
  readonly months: readonly number[]
  /** Days of the week from 0 (Sunday) to 6 (Saturday). */
  readonly daysOfWeek: readonly number[]
  /**
   * True if days of the month and days of the week are both restricted. As in cron, a match of either is then enough.
   */
  readonly matchesEitherDay: boolean
}

interface Field {
  readonly title: string
  readonly min: number
  readonly max: number
  /**
   * The names that can be written instead of numbers, such as "jan". The first name stands for the lowest value, `min`.
   */
  readonly names?: readonly string[]
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
const SUNDAY_AS_SEVEN = 7
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const MINUTE: Field = { title: "minute", min: 0, max: 59 }
const HOUR: Field = { title: "hour", min: 0, max: 23 }
const DAY_OF_MONTH: Field = { title: "day of the month", min: 1, max: 31 }
const MONTH: Field = { title: "month", min: 1, max: 12, names: MONTHS }
const DAY_OF_WEEK: Field = { title: "day of the week", min: 0, max: SUNDAY_AS_SEVEN, names: DAYS }

/**
 * Parses a cron pattern. Its five fields are minute, hour, day of the month, month and day of the week. Each field is
 * `*`, a value, a range such as `1-5`, a range with a step such as `0-30/10`, or a comma-separated list of these.
 * Months and weekdays may be three-letter names.
 */
export function parseCron(text: string, timeZone = "UTC"): CronPattern {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== 5) {
    throw new TypeError(
      `The cron pattern "${text}" has ${parts.length} fields. Write five: minute, hour, day of the month, month, day of the week.`,
    )
  }
  assertTimeZone(timeZone)
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = parts
  const pattern = {
    text: parts.join(" "),
    timeZone,
    minutes: parseField(MINUTE, minute),
    hours: parseField(HOUR, hour),
    daysOfMonth: parseField(DAY_OF_MONTH, day),
    months: parseField(MONTH, month),
    daysOfWeek: normalizeSunday(parseField(DAY_OF_WEEK, weekday)),
    matchesEitherDay: !day.startsWith("*") && !weekday.startsWith("*"),
  }
  assertDayExists(pattern)
  return Object.freeze(pattern)
}

function parseField(field: Field, text: string): readonly number[] {
  const values = text.split(",").flatMap((part) => parsePart(field, part))
  return [...new Set(values)].sort((a, b) => a - b)
}

function parsePart(field: Field, part: string): number[] {
  const [range = "", step, ...rest] = part.split("/")
  const every = step === undefined ? 1 : parseStep(field, step)
  if (rest.length > 0 || every === undefined) throw invalidPartError(field, part)
  const [from, to] = parseRange(field, range, step !== undefined)
  if (from === undefined || to === undefined || from > to) throw invalidPartError(field, part)
  const values: number[] = []
  for (let value = from; value <= to; value += every) values.push(value)
  return values
}

function parseStep(field: Field, text: string): number | undefined {
  const step = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return step >= 1 && step <= field.max ? step : undefined
}

// Parses a range, `*` or a single value of a cron field. A single value with a step is a range to the maximum: 5/15 in
// the minute field means 5, 20, 35, 50.
function parseRange(field: Field, text: string, hasStep: boolean): readonly [number | undefined, number | undefined] {
  // Both 0 and 7 mean Sunday. A range without a written end stops at 6, so that it does not contain Sunday twice.
  const max = field === DAY_OF_WEEK ? SUNDAY_AS_SEVEN - 1 : field.max
  if (text === "*") return [field.min, max]
  const [first = "", last, ...rest] = text.split("-")
  if (rest.length > 0) return [undefined, undefined]
  const from = parseValue(field, first)
  if (last !== undefined) return [from, parseValue(field, last)]
  return [from, hasStep ? max : from]
}

function parseValue(field: Field, text: string): number | undefined {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return field.min + named
  const value = /^\d{1,2}$/.test(text) ? Number(text) : -1
  return value >= field.min && value <= field.max ? value : undefined
}

function normalizeSunday(days: readonly number[]): readonly number[] {
  return [...new Set(days.map((day) => day % SUNDAY_AS_SEVEN))].sort((a, b) => a - b)
}

function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone })
  } catch (cause) {
    throw new TypeError(`"${timeZone}" is not a time zone. Use a name such as "Europe/Bratislava".`, { cause })
  }
}

function assertDayExists({ text, daysOfMonth, months, matchesEitherDay }: CronPattern): void {
  const [firstDay = 1] = daysOfMonth
  const comes = months.some((month) => firstDay <= (LONGEST_MONTHS[month - 1] ?? 0))
  if (comes || matchesEitherDay) return
  throw new TypeError(`The cron pattern "${text}" names a day that no month has.`)
}

function invalidPartError({ title, min, max, names }: Field, part: string): TypeError {
  const named = names ? ` or ${names[0]}-${names.at(-1)}` : ""
  return new TypeError(
    `"${part}" is not a valid ${title} of a cron pattern: use *, ${min}-${max}${named}, ranges a-b, steps */n, lists a,b.`,
  )
}
