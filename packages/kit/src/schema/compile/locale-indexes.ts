import { fallbackChain, type Locales } from "./locales.ts"
import { databaseName } from "./names.ts"
import type { ResourceField, ResourceIndex } from "./resource.ts"

/**
 * Returns the index itself or, if one of its fields is localized, an index for each locale. A unique index contains
 * only the values that are stored for the locale. Any other index contains fallback values too, because filters compare
 * the value that a read in the locale returns.
 */
export function indexesByLocale(index: ResourceIndex, locales: Locales): readonly ResourceIndex[] {
  if (!index.fields.some((field) => field.localized)) return [index]
  return locales.all.flatMap((locale) => {
    const chain = index.unique ? [locale] : fallbackChain(locales, locale)
    if (isServedByUnique(index, chain)) return []
    const fields = index.fields.map((field) => inChain(field, chain))
    return [{ ...index, name: databaseName([index.name, locale]), fields }]
  })
}

// True if this index is not needed, because the field's unique index serves filters too. In a locale without fallbacks,
// both indexes would contain the same values: those that are stored for the locale.
function isServedByUnique(index: ResourceIndex, chain: readonly string[]): boolean {
  const { unique, fields, newestFirst, isOfTrigrams } = index
  if (isOfTrigrams) return false
  return !unique && !newestFirst && chain.length === 1 && fields.length === 1 && fields.every((field) => field.unique)
}

function inChain(field: ResourceField, chain: readonly string[]): ResourceField {
  return field.localized ? { ...field, localized: { ...field.localized, chain } } : field
}
