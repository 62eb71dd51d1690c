/** What searches need besides the database. */
export interface SearchServices {
  readonly settings: SearchSettings
  /** True if the app has an embedder, without which nothing can be found by its meaning. */
  readonly hasEmbedder: boolean
}

/** The settings that decide what a query finds. */
interface SearchSettings {
  /** True if misspelled words are forgiven. */
  readonly forgivesTypos: boolean
  /** The words that mean the same, by locale. */
  readonly synonyms: Readonly<Record<string, readonly (readonly string[])[]>>
  /** The words that queries ignore, by locale, besides those of the language. */
  readonly stopWords: Readonly<Record<string, readonly string[]>>
}

export const DEFAULT_SEARCH: SearchServices = Object.freeze<SearchServices>({
  settings: { forgivesTypos: true, synonyms: {}, stopWords: {} },
  hasEmbedder: false,
})
