import type { Resource, ResourceSearch } from "../../schema/compile/resource.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import type { PlannedFacet } from "../../sql/search/facets.ts"
import type { SearchedText } from "../../sql/search/searched-text.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import type { SearchMode } from "../../wire/results/search.ts"

/** The search of one collection. Its options and the caller's rights have been checked. */
export interface SearchPlan {
  /** The collection in the stage and the locale of the search. */
  readonly resource: Resource
  readonly search: ResourceSearch
  /** The rows that the caller may read and that match the option `where`. */
  readonly readable: Predicate
  readonly text: SearchedText
  /** The text that the caller typed: well-formed, without U+0000, at most 500 characters. */
  readonly query: string
  readonly mode: SearchMode
  /** True if the query is not relaxed when it finds nothing. */
  readonly isStrict?: boolean
  /** The locale of the search, which determines synonyms and stop words. */
  readonly locale: string
  readonly window: PageWindow
  /** True if the hits need highlights. */
  readonly hasHighlights: boolean
  readonly facets: readonly PlannedFacet[]
}

/** The records of one collection that a search has found. */
export interface CollectionHits {
  /** The hits in the plan's window, the best first. Hits with the same score are in a fixed order. */
  readonly hits: readonly Hit[]
  /** The exact number of found records. */
  readonly total: number
  /** The result of each facet of the plan, as the statement returns it (`facetCounts`). */
  readonly facets: readonly unknown[]
  /**
   * How far the query was relaxed until it found something: 0 for not at all, higher for each further step. If another
   * collection found something in an earlier step, the hits of this collection are left out.
   */
  readonly step: number
}

export interface Hit {
  readonly id: string
  readonly score: number
  /**
   * The number by which the hits of several collections are merged, the highest first: the score, or the time of
   * creation in microseconds if the query is empty.
   */
  readonly order: number
  /** The matching parts by field, escaped for HTML. Empty unless the plan asks for highlights. */
  readonly highlights: Readonly<Record<string, readonly string[]>>
}
