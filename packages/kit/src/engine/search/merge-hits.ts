import type { PageWindow } from "../../wire/results/results.ts"
import type { CollectionHits, Hit } from "./search-plan.ts"

/** A hit, and the place of its collection in the list of searched collections. */
export interface PlacedHit {
  readonly place: number
  readonly hit: Hit
}

interface MergedHits {
  /** The hits in the window, the best first. */
  readonly page: readonly PlacedHit[]
  readonly total: number
}

/**
 * Merges the hits of several collections. Each list begins with the best hit of its collection and contains the hits up
 * to the end of the window.
 */
export function mergeHits(found: readonly CollectionHits[], { limit, offset }: PageWindow): MergedHits {
  const hits = found.flatMap((collection, place) => collection.hits.map((hit) => ({ place, hit })))
  // The sort is stable, so that hits of the same order stay in the order of the collections and of their lists.
  const sorted = hits.sort((left, right) => right.hit.order - left.hit.order)
  const total = found.reduce((sum, collection) => sum + collection.total, 0)
  return { page: sorted.slice(offset, offset + limit), total }
}

/**
 * Leaves out the hits of collections in which the query had to be relaxed further than in another collection: a record
 * with all words of the query is not mixed with records that have only some of them.
 */
export function leastRelaxed(found: readonly CollectionHits[]): readonly CollectionHits[] {
  const step = Math.min(...found.flatMap((collection) => (collection.total > 0 ? [collection.step] : [])))
  return found.map((collection) => (collection.total > 0 && collection.step > step ? NOTHING : collection))
}

const NOTHING: CollectionHits = Object.freeze<CollectionHits>({ hits: [], total: 0, facets: [], step: 0 })
