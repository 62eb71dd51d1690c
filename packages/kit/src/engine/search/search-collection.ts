import type { ResourceField } from "../../schema/compile/resource.ts"
import type { HighlightedText } from "../../sql/search/highlights.ts"
import { highlightsOf, highlightsQuery } from "../../sql/search/highlights.ts"
import { selectHits } from "../../sql/search/hits.ts"
import { BROWSE, type WriteMatch } from "../../sql/search/match.ts"
import { adaptedQuery, type QueryWords } from "../../sql/search/query/adapted-query.ts"
import { anyWordQuery } from "../../sql/search/query/relaxed-query.ts"
import { parseQuery, type SearchQuery } from "../../sql/search/query/search-query.ts"
import { wordsMatch } from "../../sql/search/text-match.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { forgiveTypos } from "./forgive-typos.ts"
import { hybridMatch, semanticMatch } from "./meaning-match.ts"
import type { CollectionHits, Hit, SearchPlan } from "./search-plan.ts"

/** Finds the records of one collection by the mode of the search. If the query is empty, finds all readable records. */
export async function searchCollection(ctx: OperationContext, plan: SearchPlan): Promise<CollectionHits> {
  if (plan.query.trim() === "") return readHits(ctx, plan, { match: BROWSE, isBrowsing: true })
  const query = adaptedQuery(parseQuery(plan.query), queryWords(ctx, plan))
  switch (plan.mode) {
    case "lexical":
      return searchWords(ctx, plan, query)
    case "semantic":
      return readHits(ctx, plan, { match: await semanticMatch(ctx, plan, query), query })
    case "hybrid":
      return searchBoth(ctx, plan, query)
    default:
      return plan.mode satisfies never
  }
}

function queryWords({ search: { settings } }: OperationContext, { locale }: SearchPlan): QueryWords {
  const { synonyms, stopWords } = settings
  const of = <List>(lists: Readonly<Record<string, readonly List[]>>) =>
    Object.hasOwn(lists, locale) ? (lists[locale] ?? []) : []
  return { synonyms: of(synonyms), stopWords: of(stopWords) }
}

async function searchBoth(ctx: OperationContext, plan: SearchPlan, query: SearchQuery): Promise<CollectionHits> {
  const lexical = wordsMatch(plan.text, query, plan.search)
  return readHits(ctx, plan, { match: await hybridMatch(ctx, plan, { query, lexical }), query })
}

// Searches for all words; if there is no hit, for words that are spelled similarly; if there is still none, for any of the
// words.
async function searchWords(ctx: OperationContext, plan: SearchPlan, query: SearchQuery): Promise<CollectionHits> {
  const search = (words: SearchQuery, step: number) =>
    readHits(ctx, plan, { match: wordsMatch(plan.text, words, plan.search), query: words, step })
  const exact = await search(query, 0)
  if (exact.total > 0 || query.groups.length === 0) return exact
  const forgiving = await forgiveTypos(ctx, plan, query)
  const similar = forgiving ? await search(forgiving, 1) : exact
  if (similar.total > 0) return similar
  const anyWord = anyWordQuery(forgiving ?? query)
  return anyWord ? await search(anyWord, 2) : similar
}

/** How hits are found and what is marked in them. */
export interface HitsRequest {
  readonly match: WriteMatch
  /** The words that highlights mark. */
  readonly query?: SearchQuery
  /** True if the hits have no scores, so that the newest come first. */
  readonly isBrowsing?: boolean
  readonly step?: number
}

/** Reads the hits of a plan that a match finds, in one statement. */
export async function readHits(
  ctx: OperationContext,
  plan: SearchPlan,
  { match, query, isBrowsing = false, step = 0 }: HitsRequest,
): Promise<CollectionHits> {
  const { resource, readable, window, facets } = plan
  const highlighted = plan.hasHighlights && query ? highlightedText(plan, query) : undefined
  const { rows } = await ctx.connection.query(selectHits({ resource, readable, match, window, facets, highlighted }))
  const [total, counts, found] = rows[0] ?? []
  const marked = highlighted?.fields ?? []
  return {
    hits: listOf(found).map((hit) => toHit(listOf(hit), { fields: marked, isBrowsing })),
    total: Number(total),
    facets: listOf(counts),
    step,
  }
}

function highlightedText({ text }: SearchPlan, query: SearchQuery): HighlightedText | undefined {
  const fields = text.fields.map(({ field }) => field).filter((field) => !field.hidden)
  const marked = highlightsQuery(query)
  return marked && fields.length > 0 ? { fields, configuration: text.index.configuration, query: marked } : undefined
}

function toHit(
  [id, score, created, marked]: readonly unknown[],
  { fields, isBrowsing }: { readonly fields: readonly ResourceField[]; readonly isBrowsing: boolean },
): Hit {
  return {
    id: String(id),
    score: Number(score),
    order: Number(isBrowsing ? (created ?? 0) : score),
    highlights: highlightsOf(fields, listOf(marked)),
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
