import pg from "pg"

type ParseText = (text: string) => unknown
type GetTypeParser = pg.CustomTypesConfig["getTypeParser"]
type TypeId = Parameters<GetTypeParser>[0]

const TEXT_ARRAY = 1009
const TIMESTAMPTZ = 1184

const keepText: ParseText = (text) => text
const parseTextArray = defaultParser(TEXT_ARRAY)
const parseAnyTimestamp = defaultParser(TIMESTAMPTZ)

/** The parsers that differ from the default parsers of `pg`, by type OID. Each array type follows its element type. */
const PARSERS: ReadonlyMap<number, ParseText> = new Map<number, ParseText>([
  [20, BigInt], // int8
  [1016, arrayOf(BigInt)],
  [1082, keepText], // date
  [1182, parseTextArray],
  [1114, keepText], // timestamp: kept as a string, because without a time zone it is not an instant
  [1115, parseTextArray],
  [1184, parseTimestamp], // timestamptz
  [1185, arrayOf(parseTimestamp)],
  [1231, parseTextArray], // numeric[]: kept as strings, because JavaScript numbers would lose digits
])

/** The `types` setting of a `pg` client. The global parsers of `pg` are not changed. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (format === "text" && PARSERS.get(id)) || pg.types.getTypeParser(id, format),
}

/**
 * Parses a timestamp such as `2024-01-02 03:04:05.123456+00`, the format in a UTC session, and truncates it to
 * milliseconds. Timestamps in any other format (years before 1000 or after 9999, BC, infinity, other zones) are left to
 * the parser of `pg`. Reading the digits takes 0.5 µs; `new Date` with an ISO text takes 1 µs, and the parser of `pg`
 * 1.7 µs (500 timestamps, Node 20).
 */
export function parseTimestamp(text: string): unknown {
  const end = text.length - 3
  if (!isPlainForm(text, end)) return parseAnyTimestamp(text)
  return new Date(
    Date.UTC(
      twoDigits(text, 0) * 100 + twoDigits(text, 2),
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds(text, end),
    ),
  )
}

const ZERO = 48
const DASH = 45

function isPlainForm(text: string, end: number): boolean {
  return end >= 19 && text.charCodeAt(0) > ZERO && text.charCodeAt(4) === DASH && text.endsWith("+00")
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - ZERO * 11
}

function milliseconds(text: string, end: number): number {
  let value = 0
  for (let at = 20, unit = 100; unit >= 1 && at < end; at++, unit /= 10) value += (text.charCodeAt(at) - ZERO) * unit
  return value
}

function arrayOf(parse: ParseText): ParseText {
  const parseElement = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(parseElement)
    return typeof element === "string" ? parse(element) : element
  }
  return (text) => parseElement(parseTextArray(text))
}

function defaultParser(id: number): ParseText {
  // The cast is safe: the `pg` enum of type OIDs lacks the array types, but at run time every OID works.
  return pg.types.getTypeParser(id as TypeId, "text")
}

/** Converts the values of a statement into the parameters that `pg` sends. */
export function toParameters(values: readonly unknown[]): unknown[] {
  return values.map(toParameter)
}

/**
 * Converts a date to an ISO string. `pg` would format the date in the local time zone with an offset in whole minutes,
 * which is wrong for old offsets with seconds.
 */
export function toParameter(value: unknown): unknown {
  if (!(value instanceof Date)) return value
  const year = value.getUTCFullYear()
  return year > 0 && year <= 9999 ? value.toISOString() : value
}
