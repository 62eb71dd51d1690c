/** The locales of the content of an app. */
export interface Locales {
  /** The last fallback of every other locale. */
  readonly default: string
  readonly all: readonly string[]
  /** The locales that replace a missing value, before the default locale: `{ sk: ["cs"] }`. */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
}

export const ONE_LOCALE: Locales = Object.freeze({ default: "en", all: ["en"] })

/** Requests the values of all locales together. */
export const ALL_LOCALES = "*"

/** The locale in which the localized fields of an app are read and written. */
export interface LocaleSelection {
  readonly locale: string
  /** True if a fallback locale replaces a missing value. */
  readonly hasFallback: boolean
}

/** The locales by which a localized field is read and written; its column holds a map of all locales. */
export interface Localized {
  /** The locale that a write changes. */
  readonly locale: string
  /** The locales in which a read looks for the value, in this order. */
  readonly chain: readonly string[]
  readonly defaultLocale: string
  readonly all: readonly string[]
  /** True if an answer contains the whole map. */
  readonly isMap: boolean
}

/** Returns the default: the default locale, with fallbacks. */
export function defaultLocaleSelection(locales: Locales): LocaleSelection {
  return { locale: locales.default, hasFallback: true }
}

export function localizedBy(locales: Locales, { locale, hasFallback }: LocaleSelection): Localized {
  const isMap = locale === ALL_LOCALES
  const own = isMap ? locales.default : locale
  const chain = hasFallback ? fallbackChain(locales, own) : [own]
  return Object.freeze({ locale: own, chain, defaultLocale: locales.default, all: locales.all, isMap })
}

/** Returns the locale, its fallbacks as configured, and the default locale. */
export function fallbackChain({ default: last, fallback = {} }: Locales, locale: string): readonly string[] {
  const others = Object.hasOwn(fallback, locale) ? (fallback[locale] ?? []) : []
  return [...new Set([locale, ...others, last])]
}

const LOCALE = /^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8}){0,4}$/

/** Returns the mistakes in the locales of an app, as sentences for the author. */
export function findLocaleMistakes(locales: Locales): readonly string[] {
  const { all, default: first, fallback = {} } = locales
  const bad = all.filter((locale) => !LOCALE.test(locale))
  const named = [first, ...Object.keys(fallback), ...Object.values(fallback).flat()]
  const missing = [...new Set(named)].filter((locale) => !all.includes(locale))
  const twice = all.filter((locale, place) => all.findIndex((other) => isSameLocale(other, locale)) < place)
  return [
    ...(all.length === 0 ? ['the setting "locales.all" is empty. Name the locales, the default one included.'] : []),
    ...bad.map((locale) => `the locale "${locale}" in "locales.all" is not valid. Write it as "en" or "pt-BR".`),
    ...missing.map((locale) => `the locale "${locale}" is used in "locales", but "locales.all" does not name it.`),
    ...twice.map((locale) => `the locale "${locale}" is twice in "locales.all". Remove one of them.`),
  ]
}

function isSameLocale(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
