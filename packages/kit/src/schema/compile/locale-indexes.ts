import { fallbackChain, type Locales } from "./locales.ts"
import { databaseName } from "./names.ts"
import type { ResourceField, ResourceIndex } from "./resource.ts"

/**
 * The index itself or, where a field of it is localized, one for each locale. A filter looks at what a locale shows, the
 * values it falls back to included; unique is what is written in a locale.
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

// Where a locale falls back to no other, what it shows is what it holds, and that has an index if it is unique.
function isServedByUnique({ unique, fields, newestFirst }: ResourceIndex, chain: readonly string[]): boolean {
  return !unique && !newestFirst && chain.length === 1 && fields.length === 1 && fields.every((field) => field.unique)
}

function inChain(field: ResourceField, chain: readonly string[]): ResourceField {
  return field.localized ? { ...field, localized: { ...field.localized, chain } } : field
}
