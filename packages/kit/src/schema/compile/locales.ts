/** The languages that the content of an app is written in. */
export interface Locales {
  /** What every other locale falls back to in the end. */
  readonly default: string
  readonly all: readonly string[]
  /** Where a value that a locale lacks is looked for, before the default one: `{ sk: ["cs"] }`. */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
}

export const ONE_LOCALE: Locales = Object.freeze({ default: "en", all: ["en"] })

/** Asks for the values of all locales at once. */
export const ALL_LOCALES = "*"

/** How the localized fields of an app are read and written. */
export interface LocaleReading {
  readonly locale: string
  /** Whether another locale stands in for one that has no value. */
  readonly hasFallback: boolean
}

/** What the values of a localized field are in one reading: its column holds a map of all locales. */
export interface Localized {
  /** The one that a write changes. */
  readonly locale: string
  /** Where the value is looked for, in this order. */
  readonly chain: readonly string[]
  readonly defaultLocale: string
  readonly all: readonly string[]
  /** An answer holds the whole map. */
  readonly isMap: boolean
}

/** How an app is read unless a call says otherwise. */
export function defaultReading(locales: Locales): LocaleReading {
  return { locale: locales.default, hasFallback: true }
}

export function localizedBy(locales: Locales, { locale, hasFallback }: LocaleReading): Localized {
  const isMap = locale === ALL_LOCALES
  const own = isMap ? locales.default : locale
  const chain = hasFallback ? fallbackChain(locales, own) : [own]
  return Object.freeze({ locale: own, chain, defaultLocale: locales.default, all: locales.all, isMap })
}

/** The locale, those that its author lets stand in for it, and the default one. */
export function fallbackChain({ default: last, fallback = {} }: Locales, locale: string): readonly string[] {
  const others = Object.hasOwn(fallback, locale) ? (fallback[locale] ?? []) : []
  return [...new Set([locale, ...others, last])]
}

const LOCALE = /^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8}){0,4}$/

/** What is wrong with the locales of an app, in sentences for its author. */
export function findLocaleMistakes(locales: Locales): readonly string[] {
  const { all, default: first, fallback = {} } = locales
  const bad = all.filter((locale) => !LOCALE.test(locale))
  const named = [first, ...Object.keys(fallback), ...Object.values(fallback).flat()]
  const missing = [...new Set(named)].filter((locale) => !all.includes(locale))
  const twice = all.filter((locale, place) => all.findIndex((other) => isSameLocale(other, locale)) < place)
  return [
    ...(all.length === 0 ? ['the setting "locales.all" is empty. Name the locales, the default one included.'] : []),
    ...bad.map((locale) => `the locale "${locale}" in "locales.all" is none. Write it as "en" or "pt-BR".`),
    ...missing.map((locale) => `the locale "${locale}" is used in "locales", but "locales.all" does not name it.`),
    ...twice.map((locale) => `the locale "${locale}" is twice in "locales.all". Remove one of them.`),
  ]
}

function isSameLocale(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
