/** A language of the app's content, as the console shows it. */
export interface ContentLocale {
  /** The locale, as the API writes it: `en`, `pt-BR`. */
  readonly locale: string
  /** The name in the language of the person: "English". */
  readonly name: string
  /** Two letters, or more where two locales would have the same ones: "EN", "PT-BR". */
  readonly mark: string
}

/** Returns the languages of an app, the default one first, with names in the language of the reader. */
export function contentLocales(
  { default: first, all }: { readonly default: string; readonly all: readonly string[] },
  language: string,
): readonly ContentLocale[] {
  const names = new Intl.DisplayNames(language, { type: "language" })
  const ordered = [first, ...all.filter((locale) => locale !== first)]
  return ordered.map((locale) => {
    const short = languageOf(locale)
    const isAlone = ordered.every((other) => other === locale || languageOf(other) !== short)
    const name = names.of(locale) ?? locale
    return {
      locale,
      name: name.charAt(0).toLocaleUpperCase(language) + name.slice(1),
      mark: (isAlone ? short : locale).toUpperCase(),
    }
  })
}

function languageOf(locale: string): string {
  return locale.split("-")[0] ?? locale
}
