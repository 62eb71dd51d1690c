import type { ExternalIndex } from "./external-index.ts"
import type { SemanticIndex } from "./semantic-index.ts"

/** The parts of an app that searches need besides the database. */
export interface SearchServices {
  readonly settings: SearchSettings
  /** Finds records by their meaning. Undefined if the app has no embedder. */
  readonly semantic: SemanticIndex | undefined
  /** Finds records by their words, outside of the database. Undefined if the app has no search engine of its own. */
  readonly external: ExternalIndex | undefined
}

/** The settings that decide what a query finds. */
interface SearchSettings {
  /** True if misspelled words are forgiven. */
  readonly forgivesTypos: boolean
  /** The words that mean the same, by locale. */
  readonly synonyms: Readonly<Record<string, readonly (readonly string[])[]>>
  /** The words that queries ignore, by locale, besides those of the language. */
  readonly stopWords: Readonly<Record<string, readonly string[]>>
  /** The time after which a statement of a caller's search is cancelled, in milliseconds. */
  readonly callerMs: number
}

const CALLER_MS = 3_000

export const DEFAULT_SEARCH: SearchServices = Object.freeze<SearchServices>({
  settings: { forgivesTypos: true, synonyms: {}, stopWords: {}, callerMs: CALLER_MS },
  semantic: undefined,
  external: undefined,
})
