import { ALL_LOCALES } from "../../../schema/compile/locales.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { FacetBucket, FoundRecord, SearchResult } from "../../../wire/results/search.ts"
import { inLocale } from "../../context/locale.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type Answer, authoredAnswer } from "../../read/answer.ts"
import { mapInParallel } from "../../read/map-in-parallel.ts"
import { hasReadHooks } from "../../read/read-hooks.ts"
import { extendedMeta, hasUnlistedParts } from "../../read/records.ts"
import { type FoundRecords, readFound } from "../../search/found-records.ts"
import { mergeFacet } from "../../search/merge-facets.ts"
import type { PlacedHit } from "../../search/merge-hits.ts"
import { type PlannedCollection, planSearch } from "../../search/plan-search.ts"
import { type FoundHits, searchCollections } from "../../search/search-collections.ts"
import { readSearchBody, readSearchRequest, type SearchRequest } from "../../search/search-request.ts"

type FoundDoc = RecordData & FoundRecord

/** Searches the collections that the request names, and returns one page of the records that the caller may read. */
export async function search(outer: OperationContext, body: unknown): Promise<Answer<SearchResult<FoundDoc>>> {
  const members = readSearchBody(body)
  const ctx = inSearchedLocale(outer, members)
  const request = readSearchRequest(members)
  requireEmbedder(ctx, request)
  const collections = await planSearch(ctx, request)
  const found = await searchCollections(collections, request)
  const documents = await readDocuments(collections, found.page)
  const docs = docsOf(found.page, { collections, documents })
  const facets = request.facets.length === 0 ? {} : { facets: facetsOf(request, collections, found) }
  return searchAnswer({ docs, total: found.total, ...facets }, collections, documents)
}

function inSearchedLocale(ctx: OperationContext, { locale, localeFallback }: Readonly<Record<string, unknown>>) {
  const inner = inLocale(ctx, { locale, localeFallback })
  if (inner.locale === ALL_LOCALES) throw invalid("locale", "A search reads one locale. Name it.")
  return inner
}

function requireEmbedder({ search: { semantic } }: OperationContext, { mode }: SearchRequest): void {
  if (mode === "lexical" || semantic) return
  throw invalid("mode", `A ${mode} search needs an embedder. Set "search.embedder" in the configuration of the app.`)
}

/** Reads the records of the page, with one statement for each collection. The results are in the order of the collections. */
function readDocuments(
  collections: readonly PlannedCollection[],
  page: readonly PlacedHit[],
): Promise<readonly (FoundRecords | undefined)[]> {
  return mapInParallel([...collections.entries()], async ([place, collection]) => {
    const ids = page.filter((hit) => hit.place === place).map(({ hit }) => hit.id)
    return ids.length === 0 ? undefined : await readFound(collection, ids)
  })
}

interface ReadCollections {
  readonly collections: readonly PlannedCollection[]
  readonly documents: readonly (FoundRecords | undefined)[]
}

function docsOf(page: readonly PlacedHit[], { collections, documents }: ReadCollections): FoundDoc[] {
  return page.flatMap(({ place, hit: { id, score, highlights } }) => {
    const found = documents[place]?.byId.get(id)
    const name = collections[place]?.plan.resource.name
    if (found === undefined || name === undefined) return []
    return [{ ...found.record, _collection: name, _search: { score, highlights, indexedTitle: found.title } }]
  })
}

function facetsOf(
  { facets }: SearchRequest,
  collections: readonly PlannedCollection[],
  { counts }: FoundHits,
): Readonly<Record<string, readonly FacetBucket[]>> {
  return Object.fromEntries(
    facets.map((request, place) => {
      const counted = collections.flatMap(({ plan, facetPlaces }, collection) => {
        const index = facetPlaces.indexOf(place)
        const planned = plan.facets[index]
        const result = counts[collection]?.[index]
        return planned && result !== undefined ? [{ planned, counts: result }] : []
      })
      return [request.field, mergeFacet(request, counted)]
    }),
  )
}

// If hooks of the author have run, they may have changed the records in any way, and the items of a list of blocks have
// types of their own. Otherwise the types of the values follow from the schema of each record's collection.
function searchAnswer(
  value: SearchResult<FoundDoc>,
  collections: readonly PlannedCollection[],
  documents: readonly (FoundRecords | undefined)[],
): Answer<SearchResult<FoundDoc>> {
  const known = documents.flatMap((found) => found ?? [])
  if (known.some(({ selection }) => hasReadHooks(selection) || hasUnlistedParts(selection)))
    return authoredAnswer(value)
  const selections = new Map(
    collections.map(({ plan }, place) => [plan.resource.name, documents[place]?.selection] as const),
  )
  return {
    value,
    meta: () =>
      Object.assign(
        {},
        ...value.docs.map(({ _collection }, index) => {
          const selection = selections.get(_collection)
          return selection ? extendedMeta(selection, selections.size === 1 ? "docs.*." : `docs.${index}.`) : {}
        }),
      ),
  }
}
