import { currentLanguage } from "../words/language.ts"
import { directionOf } from "./direction.ts"
import { useForm } from "./form-context.ts"

/** The attributes of an element with a text: its language, and the direction in which it is written. */
export interface TextLanguage {
  readonly lang?: string
  readonly dir?: "rtl" | "ltr"
}

/** Returns the language of the texts of a field, if it is localized. */
export function useTextLanguage(field: string): TextLanguage {
  const { store } = useForm()
  const { locale, localized } = store.language
  return localized.has(field) ? { lang: locale, dir: directionOf(locale) } : {}
}

/** Returns the language of labels, hints and problems, which stand around texts in any language. */
export function pageLanguage(): TextLanguage {
  return { lang: currentLanguage(), dir: "ltr" }
}
