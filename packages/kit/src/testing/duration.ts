const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

const WHOLE = /^(\d+(\.\d+)?(ms|[smhdw]))+$/
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g

/** Parses a duration such as `"90s"`, `"1h"` or `"1d12h"` into milliseconds. */
export function parseDuration(text: string): number {
  if (typeof text !== "string" || !WHOLE.test(text)) {
    throw new Error(
      `"${text}" is not a duration. Write "500ms", "90s", "30m", "1h", "7d", "2w", or several as "1h30m".`,
    )
  }
  const parts = [...text.matchAll(PART)]
  return Math.round(parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0))
}
