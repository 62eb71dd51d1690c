import { fallbackChain } from "../../schema/compile/locales.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { ResourceSearch, SearchedField, SearchIndexColumns } from "../../schema/search/resource-search.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import { isMasked } from "../../sql/filter/masked-field.ts"
import { ALWAYS, type Predicate, type Visibility } from "../../sql/filter/predicate.ts"
import type { ParseContext } from "../../sql/parse/parse-context.ts"
import { parseWhereAt } from "../../sql/parse/parse-where.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import { runBeforeRead } from "../read/read-hooks.ts"
import { readingFor } from "../read/reading-for.ts"
import { type OpenCollection, openCollections } from "./open-collections.ts"
import { planFacets } from "./plan-facets.ts"
import type { SearchedText, SearchPlan } from "./search-plan.ts"
import type { SearchRequest } from "./search-request.ts"

/** The plan for one collection, and what the read of its found records needs. */
export interface PlannedCollection {
  /** The context in the stage of the search. */
  readonly ctx: OperationContext
  readonly plan: SearchPlan
  readonly reading: ParseContext
  /** For each facet of the plan, its place in the request. */
  readonly facetPlaces: readonly number[]
}

/**
 * Plans a search: evaluates the caller's rights, runs the hooks that come before a read, and parses the filters and
 * facets. The steps for each collection are those of every other read.
 */
export async function planSearch(ctx: OperationContext, request: SearchRequest): Promise<readonly PlannedCollection[]> {
  const open = await openCollections(ctx, request)
  checkFiltered(request, open)
  const read = await mapInParallel(open, prepareRead)
  const facets = planFacets(request.facets, read)
  return read.map(({ ctx: staged, reading, ...collection }, index) => {
    const { planned = [], places = [] } = facets[index] ?? {}
    return {
      ctx: staged,
      reading,
      facetPlaces: places,
      plan: { ...collection, ...searchedBy(staged, collection), ...request, locale: staged.locale, facets: planned },
    }
  })
}

// Throws if the request has a filter for a collection that it does not search.
function checkFiltered({ where }: SearchRequest, open: readonly OpenCollection[]): void {
  const names = open.map(({ resource }) => resource.name)
  for (const name of Object.keys(where)) {
    if (where[name] === undefined || names.includes(name)) continue
    throw invalid(`where.${name}`, `"${name}" is not a searched collection.${didYouMean(name, names)}`)
  }
}

interface PreparedRead {
  readonly ctx: OperationContext
  readonly resource: Resource
  readonly readable: Predicate
  readonly reading: ParseContext
  readonly visibility: Visibility
}

async function prepareRead({ ctx, resource, rows, given }: OpenCollection): Promise<PreparedRead> {
  await runBeforeRead(ctx, resource, { operation: "find" })
  const reading = await readingFor(ctx, resource, given)
  const input = given.options["where"]
  const filter =
    input === undefined ? ALWAYS : parseWhereAt(resource, { input, path: `where.${resource.name}` }, reading)
  return { ctx, resource, readable: guardedFilter(rows, filter), reading, visibility: reading.visibility }
}

interface SearchedCollection {
  readonly resource: Resource
  readonly visibility: Visibility
}

function searchedBy(
  ctx: OperationContext,
  { resource, visibility }: SearchedCollection,
): Pick<SearchPlan, "search" | "text"> {
  const { search } = resource
  if (search === undefined) throw new Error(`"${resource.name}" is not searchable.`)
  const visible = visibility.fields(resource)
  const fields = search.fields.flatMap(({ field, label }) => {
    const shown = visibleField(field, visible)
    return shown ? [{ field: shown, label }] : []
  })
  const isIndexed = ctx.hasShortcuts && fields.length === search.fields.length && fields.every(isWhole(ctx))
  const text: SearchedText = { fields, content: search.content, index: indexOf(search, ctx.locale), isIndexed }
  return { search, text }
}

// Returns the field as the caller searches it, or undefined if the caller may not search it. A field that is declared as
// hidden and searchable is searched for everyone, unless it has a rule as well.
function visibleField(field: ResourceField, visible: ReadonlyMap<string, ResourceField>): ResourceField | undefined {
  const isOpen = field.hidden && field.access.read === undefined
  return visible.get(field.name) ?? (isOpen ? field : undefined)
}

// True if the stored index has exactly the text of the field that the caller sees: in every row, and with the values of
// the fallback locales.
function isWhole({ schema: { locales }, locale }: OperationContext): (searched: SearchedField) => boolean {
  const chain = fallbackChain(locales, locale)
  return ({ field }) => !isMasked(field) && (field.localized?.chain ?? chain).length === chain.length
}

function indexOf({ indexes }: ResourceSearch, locale: string): SearchIndexColumns {
  const index = indexes.find((one) => one.locale === locale) ?? indexes[0]
  if (index === undefined) throw new Error("A searchable resource has at least one index.")
  return index
}
