import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type Locales, ONE_LOCALE } from "../compile/locales.ts"

// The languages of PostgreSQL's full-text search, each with the codes of locales whose text is in that language.
const CODES_OF_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  arabic: ["ar"],
  armenian: ["hy"],
  basque: ["eu"],
  catalan: ["ca"],
  danish: ["da"],
  dutch: ["nl"],
  english: ["en"],
  finnish: ["fi"],
  french: ["fr"],
  german: ["de"],
  greek: ["el"],
  hindi: ["hi"],
  hungarian: ["hu"],
  indonesian: ["id"],
  irish: ["ga"],
  italian: ["it"],
  lithuanian: ["lt"],
  nepali: ["ne"],
  norwegian: ["no", "nb", "nn"],
  portuguese: ["pt"],
  romanian: ["ro"],
  russian: ["ru"],
  serbian: ["sr"],
  spanish: ["es"],
  swedish: ["sv"],
  tamil: ["ta"],
  turkish: ["tr"],
  yiddish: ["yi"],
}

/** The language of text whose words are not reduced to stems. */
export const PLAIN_LANGUAGE = "simple"

const LANGUAGES: readonly string[] = [...Object.keys(CODES_OF_LANGUAGES), PLAIN_LANGUAGE]

const LANGUAGE_OF_CODE: ReadonlyMap<string, string> = new Map(
  Object.entries(CODES_OF_LANGUAGES).flatMap(([language, codes]) => codes.map((code) => [code, language] as const)),
)

/** The author's languages by locale, as the setting `search.languages` states them. */
export type Languages = Readonly<Record<string, string>>

/** Returns the language of a locale's text: the author's choice, or the one that the locale's name stands for. */
export function languageOf(locale: string, chosen: Languages = {}): string {
  const own = Object.hasOwn(chosen, locale) ? chosen[locale] : undefined
  const [code = ""] = locale.toLowerCase().split("-")
  return own ?? LANGUAGE_OF_CODE.get(code) ?? PLAIN_LANGUAGE
}

/** The settings of search that name locales. */
interface SettingsByLocale {
  readonly languages?: Languages
  readonly synonyms?: object
  readonly stopWords?: object
}

/** Returns the mistakes in the settings of search by locale, as sentences for the author. */
export function findLanguageMistakes(
  { languages = {}, synonyms = {}, stopWords = {} }: SettingsByLocale,
  locales: Locales = ONE_LOCALE,
): readonly string[] {
  const named = Object.entries({ languages, synonyms, stopWords })
  const unknown = named.flatMap(([setting, values]) =>
    Object.keys(values)
      .filter((locale) => !locales.all.includes(locale))
      .map((locale) => unknownLocale(setting, locale, locales)),
  )
  const foreign = Object.entries(languages).filter(([, language]) => !LANGUAGES.includes(language))
  return [
    ...unknown,
    ...foreign.map(
      ([locale, language]) =>
        `the setting "search.languages" gives the locale "${locale}" the language "${language}", which PostgreSQL does not know.${suggestLanguage(language)}`,
    ),
  ]
}

function unknownLocale(setting: string, locale: string, { all }: Locales): string {
  const known = didYouMean(locale, all)
  return `the setting "search.${setting}" names the locale "${locale}", which the app does not have.${known} Remove it, or add the locale to "locales".`
}

function suggestLanguage(language: string): string {
  const suggestion = didYouMean(language, LANGUAGES)
  return suggestion === "" ? ` Use one of ${LANGUAGES.join(", ")}.` : suggestion
}
