import type { AppIndex, CollectionSchema, GlobalSchema } from "kit/client"

/** The locale in which a form shows the localized fields of its record. */
export interface FormLanguage {
  readonly locale: string
  /** True for the default locale of the app: a required text must not be missing in it. */
  readonly isDefault: boolean
  /** The names of the localized fields. */
  readonly localized: ReadonlySet<string>
}

/** Returns the language of a form of a record in a locale. */
export function languageOf(
  schema: CollectionSchema | GlobalSchema,
  locale: string,
  { locales }: AppIndex,
): FormLanguage {
  return { locale, isDefault: locale === locales.default, localized: new Set(schema.options.localizedFields) }
}
