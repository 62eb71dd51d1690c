import { both } from "../../sql/filter/predicate.ts"
import { byIds } from "../read/by-id.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import { leastRelaxed, mergeHits, type PlacedHit } from "./merge-hits.ts"
import type { PlannedCollection } from "./plan-search.ts"
import { searchCollection } from "./search-collection.ts"
import type { Hit } from "./search-plan.ts"
import type { SearchRequest } from "./search-request.ts"

/** The hits of a search in all collections together. */
export interface FoundHits {
  /** The hits of the requested page, the best first. */
  readonly page: readonly PlacedHit[]
  /** The exact number of hits on all pages. */
  readonly total: number
  /** The results of the facets of each collection. */
  readonly counts: readonly (readonly unknown[])[]
}

/** Searches the planned collections, and returns the requested page of the hits in all of them. */
export async function searchCollections(
  collections: readonly PlannedCollection[],
  request: SearchRequest,
): Promise<FoundHits> {
  const [first, ...others] = collections
  if (first === undefined) return { page: [], total: 0, counts: [] }
  return others.length === 0 ? await searchOne(first) : await searchSeveral(collections, request)
}

async function searchOne({ ctx, plan }: PlannedCollection): Promise<FoundHits> {
  const { hits, total, facets } = await searchCollection(ctx, plan)
  return { page: hits.map((hit) => ({ place: 0, hit })), total, counts: [facets] }
}

// Only the merged page shows which hits of a collection are needed, so every list begins with the collection's best hit,
// and the highlights are made for the hits of the page alone.
async function searchSeveral(
  collections: readonly PlannedCollection[],
  { window: { limit, offset }, hasHighlights, window, mode }: SearchRequest,
): Promise<FoundHits> {
  const upToPage = { limit: limit + offset, offset: 0 }
  const searchAll = (isStrict: boolean) =>
    mapInParallel(collections, ({ ctx, plan }) =>
      searchCollection(ctx, { ...plan, window: upToPage, hasHighlights: false, isStrict }),
    )
  // The hits of a relaxed query are used only if no collection has better ones.
  const strict = mode === "lexical" ? await searchAll(true) : []
  const found = strict.some(({ total }) => total > 0) ? strict : leastRelaxed(await searchAll(false))
  const { page, total } = mergeHits(found, window)
  const shown = hasHighlights ? await withHighlights(collections, page) : page
  return { page: shown, total, counts: found.map(({ facets }) => facets) }
}

async function withHighlights(
  collections: readonly PlannedCollection[],
  page: readonly PlacedHit[],
): Promise<readonly PlacedHit[]> {
  const byCollection = await mapInParallel([...collections.entries()], ([place, collection]) => {
    const ids = page.filter((hit) => hit.place === place).map(({ hit }) => hit.id)
    return highlightsOf(collection, ids)
  })
  return page.map(({ place, hit }) => {
    const highlights = byCollection[place]?.get(hit.id) ?? hit.highlights
    return { place, hit: { ...hit, highlights } }
  })
}

// Searches among these hits again. The query is relaxed as far as before, because in an earlier step it had found none of
// them.
async function highlightsOf(
  { ctx, plan }: PlannedCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Hit["highlights"]>> {
  if (ids.length === 0) return new Map()
  const readable = both(byIds(plan.resource, ids), plan.readable)
  const window = { limit: ids.length, offset: 0 }
  const { hits } = await searchCollection(ctx, { ...plan, readable, window, facets: [] })
  return new Map(hits.map(({ id, highlights }) => [id, highlights]))
}
