/** The locales in which an app's content can be stored. */
export interface Locales {
  /** The default locale. It is the last fallback of every other locale. */
  readonly default: string
  readonly all: readonly string[]
  /** The fallback locales for a missing value, by locale, before the default locale: `{ sk: ["cs"] }`. */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
}

export const ONE_LOCALE: Locales = Object.freeze({ default: "en", all: ["en"] })

/** The locale with which a request asks for the values in all locales together. */
export const ALL_LOCALES = "*"

/** The locale in which a request reads and writes the localized fields. */
export interface LocaleSelection {
  readonly locale: string
  /** True if a missing value is replaced by the value in a fallback locale. */
  readonly hasFallback: boolean
}

/** The locales by which a localized field is read and written. The field's column holds a map of values by locale. */
export interface Localized {
  /** The locale whose value a write changes. */
  readonly locale: string
  /** The locales in which a read looks for a value, in this order. */
  readonly chain: readonly string[]
  readonly defaultLocale: string
  readonly all: readonly string[]
  /** True if a response contains the whole map of values by locale. */
  readonly isMap: boolean
}

/** Returns the selection for requests that name no locale: the default locale, with fallbacks. */
export function defaultLocaleSelection(locales: Locales): LocaleSelection {
  return { locale: locales.default, hasFallback: true }
}

export function localizedBy(locales: Locales, { locale, hasFallback }: LocaleSelection): Localized {
  const isMap = locale === ALL_LOCALES
  const own = isMap ? locales.default : locale
  const chain = hasFallback ? fallbackChain(locales, own) : [own]
  return Object.freeze({ locale: own, chain, defaultLocale: locales.default, all: locales.all, isMap })
}

/** Returns the given locale, then its configured fallback locales, then the default locale. */
export function fallbackChain({ default: last, fallback = {} }: Locales, locale: string): readonly string[] {
  const others = Object.hasOwn(fallback, locale) ? (fallback[locale] ?? []) : []
  return [...new Set([locale, ...others, last])]
}

/** The locales that texts may be given in. Undefined if the setting is invalid, so that texts cannot be checked. */
export type KnownLocales = readonly string[] | undefined

/** Returns the app's locales, or undefined if the setting is not a list of names, which the check of it reports. */
export function knownLocales({ all }: Partial<Locales>): KnownLocales {
  return Array.isArray(all) && all.every((locale) => typeof locale === "string") ? all : undefined
}

const LOCALE = /^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8}){0,4}$/

/** Returns the mistakes in an app's locale settings, as sentences for the author. */
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
