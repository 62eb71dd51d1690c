import { entrance as en } from "./en/entrance.ts"
import type { EntranceWords } from "./entrance-words.ts"
import { entrance as sk } from "./sk/entrance.ts"

/** The languages that the console speaks, by their names in these languages. */
export const LANGUAGES = { en: "English", sk: "Slovenčina" } as const

export type Language = keyof typeof LANGUAGES

const KEY = "kit-console-language"

/** Returns the language that was chosen in this browser, otherwise the first one of the browser that the console speaks. */
export function currentLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages]
  return wanted.map((tag) => tag?.split("-")[0]).find(isLanguage) ?? "en"
}

/** Keeps the language in this browser. The page has to be loaded again. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
}

/** Returns the texts of the entrance. They are always there. */
export function entranceWords(language: Language): EntranceWords {
  return { en, sk }[language]
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag)
}

/** Returns the locale in which numbers and times are written: that of the browser where it has the language of the page. */
export function formatLocale(): string {
  const language = currentLanguage()
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language
}
