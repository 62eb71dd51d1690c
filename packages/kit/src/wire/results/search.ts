import type { WhereInput } from "../options/query-options.ts"

/**
 * How records are found: by their words (`lexical`), by the meaning of their text (`semantic`), or by both, with the
 * two orders merged into one (`hybrid`).
 */
export type SearchMode = "lexical" | "semantic" | "hybrid"

/** The body of `POST /search`, without the types of an app. */
export interface SearchOptions {
  /** The text that a person typed. If it is empty, all readable records are found, the newest first. */
  readonly query: string
  /** The collections to search; unless set, every searchable collection that the caller may read. */
  readonly collections?: readonly string[] | undefined
  /** `lexical` unless set. */
  readonly mode?: SearchMode | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** For each collection, a filter as in `find`. */
  readonly where?: Readonly<Record<string, WhereInput>> | undefined
  /** For each collection, the related records to include, as in `find`. */
  readonly with?: Readonly<Record<string, object>> | undefined
  /** For each collection, the fields to return, as in `find`. The title in `_search` is always there. */
  readonly columns?: Readonly<Record<string, object>> | undefined
  /** True if the result should contain the matching parts of each record's text. */
  readonly highlights?: boolean | undefined
  readonly facets?: readonly FacetOptions[] | undefined
  readonly locale?: string | undefined
  readonly localeFallback?: boolean | undefined
  readonly stage?: string | undefined
}

/** Asks how the found records are distributed over the values of a field. */
export interface FacetOptions<Field extends string = string> {
  readonly field: Field
  /** The maximum number of values; 10 unless set. */
  readonly limit?: number | undefined
  /** `count` (the most frequent value first) unless set; or `value`. */
  readonly sortBy?: "count" | "value" | undefined
  /** Counts the records in each range instead of each value. A record is in a range if from <= value < to. */
  readonly ranges?: readonly FacetRange[] | undefined
}

export interface FacetRange {
  readonly from?: number | string | undefined
  readonly to?: number | string | undefined
}

/** The result of a search. `Doc` is a record with the members of `FoundRecord`. */
export interface SearchResult<Doc = UntypedFound> {
  readonly docs: readonly Doc[]
  /** The exact number of found records. */
  readonly total: number
  /** The facets by field, if they were requested. */
  readonly facets?: Readonly<Record<string, readonly FacetBucket[]>>
}

/** The members of a found record besides its own fields. */
export interface FoundRecord<Name extends string = string> {
  readonly _collection: Name
  readonly _search: SearchMatch
}

export interface SearchMatch {
  /** A higher score means a better match. Scores are comparable only within one result. */
  readonly score: number
  /**
   * The matching parts of the record's text, by field. The text is escaped for HTML, and its matching words are inside
   * of `<mark>` elements.
   */
  readonly highlights: Readonly<Record<string, readonly string[]>>
  /** The record's title, if the collection has a title field that the caller may read. */
  readonly indexedTitle: string | null
}

export type FacetBucket = FacetValue | FacetRangeCount

export interface FacetValue {
  readonly value: string | number | boolean | null
  readonly count: number
}

export interface FacetRangeCount {
  readonly from?: number | string
  readonly to?: number | string
  readonly count: number
}

export type UntypedFound = FoundRecord & Readonly<Record<string, unknown>>

export interface ReindexOptions {
  /** True if the result should come when the index is built; otherwise it comes when the work is stored. */
  readonly wait?: boolean | undefined
}

/** The result of `POST /search/reindex/:collection`. */
export interface ReindexResult {
  readonly success: boolean
  readonly collection: string
}

/** The limits of a search request. */
export const SEARCH_LIMITS = {
  defaultLimit: 20,
  maxLimit: 100,
  maxOffset: 10_000,
  maxFacets: 20,
  defaultFacetLimit: 10,
  maxFacetLimit: 100,
  maxRanges: 50,
} as const
