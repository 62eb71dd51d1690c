const DIGIT = "[0-9]"
const TWO_DIGITS = "(?:0[1-9]|[12][0-9])"
const LONG_MONTHS = `(?:0[13578]|1[02])-(?:${TWO_DIGITS}|3[01])`
const SHORT_MONTHS = `(?:0[469]|11)-(?:${TWO_DIGITS}|30)`
const FEBRUARY = "02-(?:0[1-9]|1[0-9]|2[0-8])"
const LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"

// Matches the days that exist in the years 0001 to 9999.
const DAY = `(?!0000)(?:${DIGIT}{4}-(?:${LONG_MONTHS}|${SHORT_MONTHS}|${FEBRUARY})|${LEAP_YEAR}-02-29)`

const TIME_OF_DAY = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
const CLOCK = `(?:${TIME_OF_DAY}(?::[0-5][0-9](?:\\.[0-9]{1,9})?)?|24:00(?::00(?:\\.0{1,9})?)?)`
const OFFSET = `(?:Z|[+-]${TIME_OF_DAY})`

// An offset, or 24:00, could move a time on the first or on the last day out of the years 0001 to 9999.
const WITHIN_YEARS = "(?!0001-01-01T.*\\+(?!00:00))(?!9999-12-31T(?:24|.*-(?!00:00)))"

/** Matches a calendar day that exists, such as 2026-05-04. */
export const DAY_PATTERN = `^${DAY}$`

/** Matches a time of day, with or without seconds. */
export const TIME_PATTERN = `^${TIME_OF_DAY}(?::[0-5][0-9])?$`

/**
 * Matches a day, alone or with a time and a UTC offset. Without an offset, a time would depend on the server's zone.
 */
export const MOMENT_PATTERN = `^${WITHIN_YEARS}${DAY}(?:T${CLOCK}${OFFSET})?$`
