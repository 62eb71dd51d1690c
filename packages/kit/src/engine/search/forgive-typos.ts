import { forgivableWords, forgivingQuery } from "../../sql/search/query/relaxed-query.ts"
import type { SearchQuery } from "../../sql/search/query/search-query.ts"
import { decodeNeighbours, type Neighbours, selectNeighbours } from "../../sql/search/vocabulary/neighbours.ts"
import { presentNeighbours, selectPresentWords } from "../../sql/search/vocabulary/present-words.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { querySearch } from "./query-search.ts"
import type { SearchPlan } from "./search-plan.ts"

/**
 * Returns the query with the words that a person may have meant beside those that were typed. Returns undefined if typos
 * are not forgiven, or if no word is similar. Only words of rows that the caller may read count.
 */
export async function forgiveTypos(
  ctx: OperationContext,
  plan: SearchPlan,
  query: SearchQuery,
): Promise<SearchQuery | undefined> {
  if (!ctx.search.settings.forgivesTypos) return undefined
  const misspelled = forgivableWords(query)
  const lookup = selectNeighbours(misspelled)
  if (lookup === undefined) return undefined
  const similar = decodeNeighbours(misspelled, (await querySearch(ctx, lookup)).rows)
  if (isEmpty(similar)) return undefined
  const { rows } = await querySearch(ctx, selectPresentWords(plan, similar))
  return forgivingQuery(query, misspelled, presentNeighbours(similar, rows))
}

function isEmpty({ words, beginnings }: Neighbours): boolean {
  return beginnings.length === 0 && [...words.values()].every((similar) => similar.length === 0)
}
