/**
 * Returns the value that a record shows after a write of the given value, or the shown value if only the server knows.
 * A write accepts more than a record shows: the text of a date, or the id of a record that is shown as an object.
 */
export function shownValue(shown: unknown, given: unknown): unknown {
  if (given === undefined) return shown
  if (given === null || shown === null || shown === undefined) return given
  if (shown instanceof Date) return dateOf(given) ?? shown
  if (typeof shown === "bigint" && Number.isSafeInteger(given)) return BigInt(Number(given))
  const isSameType = typeof shown === typeof given && Array.isArray(shown) === Array.isArray(given)
  return isSameType ? given : shown
}

function dateOf(given: unknown): Date | undefined {
  const date = new Date(given instanceof Date || typeof given === "string" ? given : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
