import { en } from "./en/index.ts"
import type { Language } from "./language.ts"
import { sk } from "./sk/index.ts"
import type { Words } from "./words.ts"

/** Returns all texts of a language. A file for each one would be one more request before the first rows. */
export function deskWords(language: Language): Words {
  return { en, sk }[language]
}
