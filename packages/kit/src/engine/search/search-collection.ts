import type { ResourceField } from "../../schema/compile/resource.ts"
import { fusedMatch, rankedMatch } from "../../sql/search/fusion.ts"
import type { HighlightedText } from "../../sql/search/highlights.ts"
import { highlightsOf, markedWords } from "../../sql/search/highlights.ts"
import { hasHits, selectHits } from "../../sql/search/hits.ts"
import { BROWSE, type WriteMatch } from "../../sql/search/match.ts"
import { adaptedQuery, type QueryWords } from "../../sql/search/query/adapted-query.ts"
import { anyWordQuery } from "../../sql/search/query/relaxed-query.ts"
import { parseQuery, type SearchQuery } from "../../sql/search/query/search-query.ts"
import { wordsMatch } from "../../sql/search/text-match.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { findExternally } from "./external-hits.ts"
import { forgiveTypos } from "./forgive-typos.ts"
import { findNearestIfAvailable, semanticMatch } from "./meaning-match.ts"
import { querySearch } from "./query-search.ts"
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

// Asks the search engine of the app, if it has one. Otherwise searches for all words; if there is no hit, for words that
// are spelled similarly; if there is still none, for any of the words.
async function searchWords(ctx: OperationContext, plan: SearchPlan, query: SearchQuery): Promise<CollectionHits> {
  const external = await findExternally(ctx, plan)
  if (external) return readHits(ctx, plan, { match: rankedMatch(plan.resource, external), query })
  let hits: CollectionHits | undefined
  for await (const { words, step } of relaxedQueries(ctx, plan, query)) {
    hits = await readHits(ctx, plan, { match: wordsMatch(plan.text, words, plan.search), query: words, step })
    if (hits.total > 0) break
  }
  return hits ?? NO_HITS
}

// Merges the order of the search by words with that of the search by meaning. While the meaning cannot be searched, for
// example because the embedder does not answer, only words are searched.
async function searchBoth(ctx: OperationContext, plan: SearchPlan, query: SearchQuery): Promise<CollectionHits> {
  const { resource, readable, text, search } = plan
  const semantic = await findNearestIfAvailable(ctx, plan, query)
  if (semantic === undefined) return searchWords(ctx, plan, query)
  const external = await findExternally(ctx, plan)
  const words = external ? query : await firstWithHits(ctx, plan, { query, mayTakeAnyWord: semantic.length === 0 })
  const lexical = external ? rankedMatch(resource, external) : wordsMatch(text, words, search)
  const match = fusedMatch({ resource, readable, lexical, semantic })
  return readHits(ctx, plan, { match, query: words })
}

// Returns the first of the relaxed queries that finds something. Any of the words alone is searched only if there are no
// records with a similar meaning, because these are better than records with just one of the words.
async function firstWithHits(
  ctx: OperationContext,
  plan: SearchPlan,
  { query, mayTakeAnyWord }: { readonly query: SearchQuery; readonly mayTakeAnyWord: boolean },
): Promise<SearchQuery> {
  for await (const { words, step } of relaxedQueries(ctx, plan, query)) {
    if (step === ANY_WORD && !mayTakeAnyWord) break
    const { resource, readable } = plan
    const match = wordsMatch(plan.text, words, plan.search)
    const { rows } = await querySearch(ctx, hasHits({ resource, readable, match }))
    if (rows[0]?.[0] === true) return words
  }
  return query
}

const NO_HITS: CollectionHits = { hits: [], total: 0, facets: [], step: 0 }

/** The step in which a record needs only one of the words. */
const ANY_WORD = 2

interface RelaxedQuery {
  readonly words: SearchQuery
  readonly step: number
}

/** Yields the query, and then the same query with fewer and fewer conditions. */
async function* relaxedQueries(
  ctx: OperationContext,
  plan: SearchPlan,
  query: SearchQuery,
): AsyncGenerator<RelaxedQuery> {
  yield { words: query, step: 0 }
  if (query.groups.length === 0 || plan.isStrict) return
  const forgiving = await forgiveTypos(ctx, plan, query)
  if (forgiving) yield { words: forgiving, step: 1 }
  const anyWord = anyWordQuery(forgiving ?? query)
  if (anyWord) yield { words: anyWord, step: ANY_WORD }
}

/** How hits are found and what is marked in them. */
interface HitsRequest {
  readonly match: WriteMatch
  /** The words that highlights mark. */
  readonly query?: SearchQuery
  /** True if the hits have no scores, so that the newest come first. */
  readonly isBrowsing?: boolean
  readonly step?: number
}

/** Reads the hits of a plan that a match finds, in one statement. */
async function readHits(
  ctx: OperationContext,
  plan: SearchPlan,
  { match, query, isBrowsing = false, step = 0 }: HitsRequest,
): Promise<CollectionHits> {
  const { resource, readable, window, facets } = plan
  const highlighted = plan.hasHighlights && query ? highlightedText(plan, query) : undefined
  const { rows } = await querySearch(ctx, selectHits({ resource, readable, match, window, facets, highlighted }))
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
  const words = markedWords(query)
  return words && fields.length > 0 ? { fields, configuration: text.index.configuration, words } : undefined
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
