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

function isAbbreviation(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase()
}
