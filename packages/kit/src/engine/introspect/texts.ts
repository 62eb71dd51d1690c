import { fallbackChain, type Locales } from "../../schema/compile/locales.ts"
import type { Text } from "../../schema/presentation/presentation.ts"

/** Chooses the author's texts for people in one locale. */
export class Texts {
  readonly #chain: readonly string[]

  constructor(locales: Locales, locale: string) {
    this.#chain = fallbackChain(locales, locale)
  }

  /**
   * Returns the text in the locale, in one of its fallback locales, or in the first locale for which there is a text.
   * Returns null without a text.
   */
  find(text: Text | undefined): string | null {
    if (text === undefined || typeof text === "string") return text ?? null
    const byLocale: Readonly<Record<string, string | undefined>> = text
    const locale = this.#chain.find((candidate) => Object.hasOwn(byLocale, candidate)) ?? Object.keys(byLocale)[0]
    return locale === undefined ? null : (byLocale[locale] ?? null)
  }

  /** Like `find`, for the label of something that has a name. Without a text, the label is the name in words. */
  label(text: Text | undefined, name: string): string {
    return this.find(text) ?? nameInWords(name)
  }
}

/** Returns a name of the code as a label: `publishedAt` becomes "Published at", `seoURL` "Seo URL". */
export function nameInWords(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[\s_-]+/u)
    .filter((word) => word !== "")
    .map((word) => (isAbbreviation(word) ? word : word.toLowerCase()))
    .join(" ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// Words in the plural, with what replaces their end when there is one of it. The first that fits is taken.
const PLURALS: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/^(news|series|species)$/i, "$1"],
  [/^(\p{Lu}+)$/u, "$1"],
  [/^(status|virus|campus|bonus|bus)es$/i, "$1"],
  [/(ss|us|is)$/i, "$1"],
  [/^(mov|cook|calor|zomb)ies$/i, "$1ie"],
  [/([^aeiou])ies$/i, "$1y"],
  [/(ss|sh|ch|x)es$/i, "$1"],
  [/s$/i, ""],
  [/(p)eople$/i, "$1erson"],
  [/(ch)ildren$/i, "$1ild"],
]

/** Returns the English word for one of these: "Blog posts" becomes "Blog post". A word that it does not know stays as it is. */
export function singularOf(label: string): string {
  const lastWord = label.slice(label.lastIndexOf(" ") + 1)
  const rule = PLURALS.find(([plural]) => plural.test(lastWord))
  return rule === undefined ? label : label.slice(0, -lastWord.length) + lastWord.replace(...rule)
}

function isAbbreviation(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase()
}
