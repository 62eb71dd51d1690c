import type { FormStore } from "../../../form/form-store.ts"
import type { TextsByLocale } from "../use-record.ts"

interface Filled {
  readonly texts: TextsByLocale
  readonly store: FormStore
  readonly locales: readonly string[]
}

/** Returns the locales in which no text is missing that another one has, with the edits of the form. */
export function filledLocales({ texts, store, locales }: Filled): string[] {
  const edits = new Map([store, ...store.editedLocales()].map((each) => [each.locale, each.edits()]))
  const hasText = (locale: string, field: string) => {
    const edited = edits.get(locale)
    return !isMissing(edited && Object.hasOwn(edited, field) ? edited[field] : texts[field]?.[locale])
  }
  const written = [...store.language.localized].filter(
    (field) => Object.hasOwn(texts, field) && locales.some((locale) => hasText(locale, field)),
  )
  return locales.filter((locale) => written.every((field) => hasText(locale, field)))
}

/** Returns whether a value is one that readers do not see: they see that of another locale in its place. */
export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === ""
}
