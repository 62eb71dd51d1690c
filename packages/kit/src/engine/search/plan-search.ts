import type { Resource } from "../../schema/compile/resource.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import { ALWAYS, type Predicate, type Visibility } from "../../sql/filter/predicate.ts"
import type { ParseContext } from "../../sql/parse/parse-context.ts"
import { parseWhereAt } from "../../sql/parse/parse-where.ts"
import { searchedText } from "../../sql/search/searched-text.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import { runBeforeRead } from "../read/read-hooks.ts"
import { readingFor } from "../read/reading-for.ts"
import { type FoundSelection, parseFoundSelection } from "./found-selection.ts"
import { type OpenCollection, openCollections } from "./open-collections.ts"
import { planFacets } from "./plan-facets.ts"
import type { SearchPlan } from "./search-plan.ts"
import { COLLECTION_OPTIONS, type SearchRequest } from "./search-request.ts"

/** The plan for one collection, and what the read of its found records needs. */
export interface PlannedCollection {
  /** The context in the stage of the search. */
  readonly ctx: OperationContext
  readonly plan: SearchPlan
  /** The selection of the found records. */
  readonly selection: FoundSelection
  /** For each facet of the plan, its place in the request. */
  readonly facetPlaces: readonly number[]
}

/**
 * Plans a search: evaluates the caller's rights, runs the hooks that come before a read, and parses the filters and
 * facets. The steps for each collection are those of every other read.
 */
export async function planSearch(ctx: OperationContext, request: SearchRequest): Promise<readonly PlannedCollection[]> {
  const open = await openCollections(ctx, request)
  checkCollections(request, open)
  const read = await mapInParallel(open, prepareRead)
  const facets = planFacets(request.facets, read)
  return read.map(({ ctx: staged, reading, given, ...collection }, index) => {
    const { planned = [], places = [] } = facets[index] ?? {}
    return {
      ctx: staged,
      selection: parseFoundSelection({ ...collection, reading, given }, request.window.limit),
      facetPlaces: places,
      plan: { ...collection, ...searchedBy(staged, collection), ...request, locale: staged.locale, facets: planned },
    }
  })
}

// Throws if the request has options for a collection that it does not search.
function checkCollections(request: SearchRequest, open: readonly OpenCollection[]): void {
  const names = open.map(({ resource }) => resource.name)
  for (const option of COLLECTION_OPTIONS) {
    const given = Object.entries(request[option]).filter(([, value]) => value !== undefined)
    const name = given.map(([each]) => each).find((each) => !names.includes(each))
    if (name === undefined) continue
    throw invalid(`${option}.${name}`, `"${name}" is not a searched collection.${didYouMean(name, names)}`)
  }
}

interface PreparedRead {
  readonly ctx: OperationContext
  readonly given: UncheckedOptions
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
  return { ctx, given, resource, readable: guardedFilter(rows, filter), reading, visibility: reading.visibility }
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
  const text = searchedText(search, {
    visible: visibility.fields(resource),
    locale: ctx.locale,
    defaultLocale: ctx.schema.locales.default,
    hasShortcuts: ctx.hasShortcuts,
  })
  return { search, text }
}
