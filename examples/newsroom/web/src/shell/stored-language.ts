import { readStored, writeStored } from "./stored.ts"

export const LANGUAGES = ["en", "sk"] as const

export type Language = (typeof LANGUAGES)[number]

const KEY = "language"

/** Returns the language that the reader has chosen, or the one that suits the browser. */
export function storedLanguage(): Language {
  const wanted = [readStored(KEY), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return wanted.find(isLanguage) ?? "en"
}

export function storeLanguage(language: Language): void {
  writeStored(KEY, language)
}

function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text)
}
