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

/** Returns a stored value; null if there is none, or if the browser keeps nothing. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // A browser that keeps nothing shows the page as for a new reader.
  }
}

function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text)
}
