import { isPlainObject } from "../../schema/fields/json.ts"
import { changeParts } from "../../schema/references/referenced-parts.ts"
import type { HydratedPart } from "../../sql/parse/selection.ts"
import { isLocaleMap } from "../../sql/text/locale-map.ts"

/**
 * Returns the field's value with the parts that a relation has in it replaced by what `change` returns for them. The value
 * of a field that is requested in all locales is a map.
 */
export function changeHydratedParts(
  { field, reference: { steps } }: Pick<HydratedPart, "field" | "reference">,
  value: unknown,
  change: (part: unknown) => unknown,
): unknown {
  if (!isLocaleMap(field)) return changeParts(value, steps, change)
  if (!isPlainObject(value)) return value
  const byLocale = Object.entries(value).map(([locale, own]) => [locale, changeParts(own, steps, change)])
  return Object.fromEntries(byLocale)
}
