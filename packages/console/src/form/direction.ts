// The scripts that are written from right to left, in the languages that have a locale of their own.
const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"])

/** Returns the direction in which the texts of a locale are written. */
export function directionOf(locale: string): "rtl" | "ltr" {
  const { script } = new Intl.Locale(locale).maximize()
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr"
}
