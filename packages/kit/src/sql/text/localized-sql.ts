import type { ResourceField } from "../../schema/compile/resource.ts"

/**
 * Returns the SQL of the value in the first locale of the fallback chain that has a value; null if no locale has one.
 */
export function localizedSql(
  map: string,
  { chain, sqlType }: { readonly chain: readonly string[]; readonly sqlType: string },
): string {
  if (sqlType === "jsonb") return firstOf(chain, (locale) => `${map}->'${locale}'`)
  if (sqlType.endsWith("[]"))
    return listSql(
      firstOf(chain, (locale) => `${map}->'${locale}'`),
      sqlType.slice(0, -2),
    )
  const text = firstOf(chain, (locale) => `${map}->>'${locale}'`)
  return sqlType === "text" ? text : `${text}::${sqlType}`
}

function firstOf(chain: readonly string[], valueIn: (locale: string) => string): string {
  return chain.length === 1 ? `(${chain.map(valueIn).join()})` : `coalesce(${chain.map(valueIn).join(", ")})`
}

function listSql(items: string, elementType: string): string {
  const elements = `select item::${elementType} from jsonb_array_elements_text(${items}) item`
  return `(case when ${items} is not null then array(${elements}) end)`
}

/**
 * Returns the SQL of the locale map without the locales that the app no longer declares, or null if no other locale has
 * a value. The values of undeclared locales stay stored.
 */
export function pickLocales(map: string, locales: readonly string[]): string {
  const names = locales.map((locale) => `'${locale}'`).join(", ")
  const listed = `select jsonb_object_agg(key, value) from jsonb_each(${map}) where key in (${names})`
  return `case when ${map} - array[${names}] = '{}'::jsonb then ${map} else (${listed}) end`
}

/**
 * Returns the locale map for a new row, with the value in the written locale. A required field gets the same value in
 * the default locale too.
 */
export function newLocaleMap(field: ResourceField, value: unknown): string {
  const { locale = "", defaultLocale = "" } = field.localized ?? {}
  const filled = field.required ? [...new Set([locale, defaultLocale])] : [locale]
  return localeMap(field, filled, value)
}

/**
 * Returns a locale map with the value in the default locale only. It fills a column in existing rows, for which no
 * caller has chosen a locale.
 */
export function defaultLocaleMap(field: ResourceField, value: unknown): string {
  return localeMap(field, [field.localized?.defaultLocale ?? ""], value)
}

function localeMap(field: ResourceField, locales: readonly string[], value: unknown): string {
  const text = localizedJson(field, value)
  return `{${locales.map((locale) => `"${locale}":${text}`).join()}}`
}

/** Returns a value as JSON text, as a locale map stores it. Numbers that JSON would round become strings. */
export function localizedJson({ type }: ResourceField, value: unknown): string {
  const stored = type.toSql ? type.toSql(value) : value
  if (type.sqlType === "jsonb") return String(stored)
  return JSON.stringify(stored, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part))
}

/**
 * Returns the SQL of the locale map with a new value in the written locale, or without that locale if the value is
 * null. `value` is an SQL expression.
 */
export function changedLocaleMap(map: string, { localized, required }: ResourceField, value: string): string {
  const locale = `'${localized?.locale}'`
  const rest = `${map} - ${locale}`
  const without = required ? rest : `nullif(${rest}, '{}'::jsonb)`
  const withValue = `coalesce(${map}, '{}'::jsonb) || jsonb_build_object(${locale}, ${value}::jsonb)`
  return `case when ${value}::jsonb is null then ${without} else ${withValue} end`
}
