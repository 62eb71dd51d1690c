import { fallbackChain, type Locales } from "./locales.ts"
import { databaseName } from "./names.ts"
import type { ResourceField, ResourceIndex } from "./resource.ts"

/**
 * The index itself or, where a field of it is localized, one for each locale. A filter looks at what a locale shows, the
 * values it falls back to included; unique is what is written in a locale.
 */
export function indexesByLocale(index: ResourceIndex, locales: Locales): readonly ResourceIndex[] {
  if (!index.fields.some((field) => field.localized)) return [index]
  return locales.all.map((locale) => {
    const chain = index.unique ? [locale] : fallbackChain(locales, locale)
    return {
      ...index,
      name: databaseName([index.name, locale]),
      fields: index.fields.map((field) => inChain(field, chain)),
    }
  })
}

function inChain(field: ResourceField, chain: readonly string[]): ResourceField {
  return field.localized ? { ...field, localized: { ...field.localized, chain } } : field
}
