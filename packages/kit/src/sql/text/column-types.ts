// Types for which Postgres reports a longer name, in two parts. The precision stands between the parts, as in
// `timestamp(3) with time zone`.
const LONG_NAMES: Readonly<Record<string, readonly [string, string]>> = {
  timestamptz: ["timestamp", " with time zone"],
  timestamp: ["timestamp", " without time zone"],
  timetz: ["time", " with time zone"],
  time: ["time", " without time zone"],
  varchar: ["character varying", ""],
}

/** Returns the name under which Postgres reports the SQL type of a column. */
export function reportedType(sqlType: string): string {
  const [, name = sqlType, digits = "", list = ""] = /^([a-z]+)(\([\d, ]+\))?(\[\])?$/.exec(sqlType) ?? []
  const [start, end] = (Object.hasOwn(LONG_NAMES, name) ? LONG_NAMES[name] : undefined) ?? [name, ""]
  return `${start}${digits.replaceAll(" ", "")}${end}${list}`
}

const WIDER: Readonly<Record<string, readonly string[]>> = {
  integer: ["bigint", "numeric", "double precision"],
  bigint: ["numeric", "double precision"],
}

/**
 * True if a column can be changed from the type `from` to the type `to`. The change itself may still fail, if the
 * column holds a number that is too large for `to`.
 */
export function isWidening(from: string, to: string): boolean {
  if (to === "text" || hasMoreDigits(from, to)) return true
  return WIDER[from]?.some((wider) => to === wider || to.startsWith(`${wider}(`)) ?? false
}

// True if both types are numeric with a precision, and `to` has at least as many digits as `from` on both sides of the
// decimal point.
function hasMoreDigits(from: string, to: string): boolean {
  const [before, after] = [digitsOf(from), digitsOf(to)]
  return before !== undefined && after !== undefined && after.whole >= before.whole && after.parts >= before.parts
}

function digitsOf(type: string): { whole: number; parts: number } | undefined {
  const [, precision, scale] = /^numeric\((\d+),(\d+)\)$/.exec(type) ?? []
  return precision === undefined ? undefined : { whole: Number(precision) - Number(scale), parts: Number(scale) }
}
