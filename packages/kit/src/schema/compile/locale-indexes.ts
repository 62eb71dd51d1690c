import { fallbackChain, type Locales } from "./locales.ts"
import { databaseName } from "./names.ts"
import type { ResourceField, ResourceIndex } from "./resource.ts"

/**
 * Returns the index itself or, if one of its fields is localized, one index for each locale. A filter compares the
 * value that a locale shows, including fallbacks. A unique index covers only the values that are stored for the locale.
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

// True if the field's unique index serves filters too. A locale without fallbacks shows the value that is stored for
// it, and the unique index contains that value.
function isServedByUnique({ unique, fields, newestFirst }: ResourceIndex, chain: readonly string[]): boolean {
  return !unique && !newestFirst && chain.length === 1 && fields.length === 1 && fields.every((field) => field.unique)
}

function inChain(field: ResourceField, chain: readonly string[]): ResourceField {
  return field.localized ? { ...field, localized: { ...field.localized, chain } } : field
}
