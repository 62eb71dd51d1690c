/** The body of `POST /_kit/find-by-title`. */
export interface FindByTitleOptions {
  /** The beginnings of the words of a title, in any order. */
  readonly query: string
  /** The maximum number of records; 20 unless set. */
  readonly limit?: number | undefined
  /** True finds working copies instead of public ones in the collections with stages whose drafts the caller may read. */
  readonly drafts?: boolean | undefined
  readonly locale?: string | undefined
  readonly localeFallback?: boolean | undefined
}

/** The records with a matching title, of all collections that the caller may read. */
export interface FoundTitles {
  /** The best matches first. */
  readonly docs: readonly FoundTitle[]
  /** The names of the collections that were left out, because searching their titles would take too long. */
  readonly notSearched: readonly string[]
}

export interface FoundTitle {
  readonly collection: string
  readonly id: string
  readonly title: string
}

/** The limits of a search for titles. */
export const TITLE_LIMITS = {
  maxQueryLength: 200,
  defaultLimit: 20,
  maxLimit: 100,
} as const
