import type { AppSchema } from "../../schema/compile/resource.ts"
import { interfaceText } from "./interface-text.ts"

/** The locales of the app and, if a field is localized, the type of a value in all locales. */
export function localeTypes(schema: AppSchema): string[] {
  const locales = schema.locales.all
  const union = `export type AppLocale = ${locales.map((locale) => JSON.stringify(locale)).join(" | ")}`
  const members = locales.map((locale) => ({ name: JSON.stringify(locale), type: "Value", isOptional: true }))
  return hasLocalizedFields(schema) ? [union, interfaceText("ByLocale<Value>", members)] : [union]
}

export function hasLocalizedFields({ resources }: AppSchema): boolean {
  return resources.some(({ fields }) => [...fields.values()].some(({ localized }) => localized !== undefined))
}
