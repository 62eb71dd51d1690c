import { type FieldType, NO_LIMITS, sameJsonSchemas } from "../../schema/compile/field-type.ts"
import type { ResourceField } from "../../schema/compile/resource.ts"

/** A localized field whose value in a response is a map of all locales. */
export interface LocaleMapField extends ResourceField {
  /** The field with its value in one locale, to which filters and sort orders refer. */
  readonly inOneLocale: ResourceField
}

/**
 * Returns the field as it appears in a response. Its value is that of one locale or, if all locales are requested, a
 * map of the values by locale.
 */
export function outputField(field: ResourceField): ResourceField {
  if (!field.localized?.isMap) return field
  const type = mapType(field.type, field.localized.all)
  const map: LocaleMapField = { ...field, type, localized: undefined, inOneLocale: field }
  return map
}

export function isLocaleMap(field: ResourceField): field is LocaleMapField {
  return "inOneLocale" in field
}

const refuse = () => ({ problem: "Name one locale." })

function mapType({ fromJson, ...type }: FieldType, locales: readonly string[]): FieldType {
  const extendedParts = Object.fromEntries(locales.flatMap((locale) => extendedIn(type, locale)))
  return Object.freeze<FieldType>({
    name: `${type.name} by locale`,
    sqlType: "jsonb",
    operators: "none",
    typescript: { output: "unknown", input: "unknown" },
    jsonSchema: sameJsonSchemas({}),
    limits: NO_LIMITS,
    parse: refuse,
    parseOperand: refuse,
    parseText: refuse,
    extendedParts,
    hasUnlistedParts: type.hasUnlistedParts === true,
    ...(fromJson && { fromJson: (json) => mapValues(json, fromJson) }),
  })
}

function extendedIn({ extended, extendedParts = {} }: Pick<FieldType, "extended" | "extendedParts">, locale: string) {
  const parts = Object.entries(extendedParts).map(([path, tag]) => [`${locale}.${path}`, tag] as const)
  return extended ? [[locale, extended] as const, ...parts] : parts
}

// Changes the value of each locale. The cast is safe: the column of a localized field holds a map of JSON values.
function mapValues(json: unknown, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json as object).map(([locale, value]) => [locale, change(value)]))
}

/** Returns the value in the first locale of the field's fallback chain that has a value; null if no locale has one. */
export function valueInLocaleChain({ localized }: ResourceField, map: unknown): unknown {
  if (typeof map !== "object" || map === null) return null
  const values = new Map<string, unknown>(Object.entries(map))
  const locale = localized?.chain.find((each) => (values.get(each) ?? null) !== null)
  return locale === undefined ? null : values.get(locale)
}
