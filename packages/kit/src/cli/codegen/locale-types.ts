import type { AppSchema } from "../../schema/compile/resource.ts"
import { interfaceText } from "./interface-text.ts"

/** The locales that the app has and, where a field is localized, what an answer in all of them holds. */
export function localeTypes(schema: AppSchema): string[] {
  const locales = schema.locales.all
  const union = `export type AppLocale = ${locales.map((locale) => JSON.stringify(locale)).join(" | ")}`
  const members = locales.map((locale) => ({ name: JSON.stringify(locale), type: "Value", isOptional: true }))
  return hasLocalizedFields(schema) ? [union, interfaceText("ByLocale<Value>", members)] : [union]
}

export function hasLocalizedFields({ resources }: AppSchema): boolean {
  return resources.some(({ fields }) => [...fields.values()].some(({ localized }) => localized !== undefined))
}
