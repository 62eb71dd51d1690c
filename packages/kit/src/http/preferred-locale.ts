import type { HeaderReader } from "../ports/session-provider.ts"
import type { Locales } from "../schema/compile/locales.ts"

/** Returns the app's locale that best fits the Accept-Language header, or the default locale if none fits. */
export function preferredLocale(locales: Locales, headers: HeaderReader): string {
  const header = locales.all.length === 1 ? null : headers.get("accept-language")
  if (header === null) return locales.default
  for (const range of rangesOf(header)) {
    const locale = range === "*" ? locales.default : localeFor(locales, range)
    if (locale !== undefined) return locale
  }
  return locales.default
}

const MAX_CHARACTERS = 1000

// Returns the language ranges of an Accept-Language header, sorted by weight. Ranges with equal weights stay in the
// order of the header. Ranges with a weight of 0 ("not wanted") are left out.
function rangesOf(header: string): readonly string[] {
  const weighed = header
    .slice(0, MAX_CHARACTERS)
    .split(",")
    .map((part) => {
      const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
      return { range, weight: weight === undefined ? 1 : Number(weight) }
    })
  return weighed
    .filter(({ range, weight }) => range !== "" && weight > 0 && weight <= 1)
    .sort((left, right) => right.weight - left.weight)
    .map(({ range }) => range)
}

// Returns the locale that equals the language range; otherwise a shorter locale (en for en-US); otherwise a longer one
// (pt-BR for pt).
function localeFor({ all }: Locales, range: string): string | undefined {
  for (let end = range.length; end > 0; end = range.lastIndexOf("-", end - 1)) {
    const found = all.find((locale) => locale.toLowerCase() === range.slice(0, end))
    if (found !== undefined) return found
  }
  return all.find((locale) => locale.toLowerCase().startsWith(`${range}-`))
}
