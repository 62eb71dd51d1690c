import { ALWAYS, both, type Predicate } from "../../sql/filter/predicate.ts"
import { type RankedRecords, rankedMatch } from "../../sql/search/fusion.ts"
import type { WriteMatch } from "../../sql/search/match.ts"
import type { SearchQuery } from "../../sql/search/query/search-query.ts"
import { embeddedAsSeen, matchCondition } from "../../sql/search/text-match.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { SearchPlan } from "./search-plan.ts"

// A search by meaning finds at most this many records: similarity has no natural end.
const MAX_NEAREST = 1_000

/** Returns the match of a search by meaning: the readable records whose text is similar to the query. */
export async function semanticMatch(ctx: OperationContext, plan: SearchPlan, query: SearchQuery): Promise<WriteMatch> {
  return rankedMatch(plan.resource, await findNearest(ctx, plan, query))
}

/**
 * Returns the readable records whose text is similar to the query, the most similar first. Returns undefined, and logs
 * why, while the meaning cannot be searched.
 */
export async function findNearestIfAvailable(
  ctx: OperationContext,
  plan: SearchPlan,
  query: SearchQuery,
): Promise<RankedRecords | undefined> {
  try {
    return await findNearest(ctx, plan, query)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE")) throw error
    ctx.logger.warn("A hybrid search has searched only words.", { error })
    return undefined
  }
}

async function findNearest(ctx: OperationContext, plan: SearchPlan, query: SearchQuery): Promise<RankedRecords> {
  const { resource, text } = plan
  const { semantic } = ctx.search
  const { key } = text.index
  const positive = positiveText(plan, query)
  if (semantic === undefined || key === undefined || positive === "") return []
  const readable = both(both(plan.readable, withoutNegated(plan, query)), asEmbedded(plan, key))
  return await semantic.findNearest(ctx.connection, { resource, key, readable, limit: MAX_NEAREST, query: positive })
}

// A word that the records must not contain would attract records about it, so only the rest of the query is compared.
function positiveText({ query: typed }: SearchPlan, { groups }: SearchQuery): string {
  const terms = groups.flat()
  if (!terms.some(({ isNegated }) => isNegated)) return typed.trim()
  const positive = terms.filter(({ isNegated }) => !isNegated)
  return positive.flatMap(({ words }) => words).join(" ")
}

// Returns the predicate for the rows without the words that the query excludes.
function withoutNegated({ text }: SearchPlan, { groups }: SearchQuery): Predicate {
  const negated = groups.filter((group) => group.every(({ isNegated }) => isNegated))
  return {
    kind: "all",
    parts: negated.map((group) => ({
      kind: "text",
      fields: text.fields.map(({ field }) => field),
      write: (_, row) => matchCondition(text, { groups: [group] }, row),
    })),
  }
}

// Returns the predicate for the rows whose embedded text is the one that the caller sees.
function asEmbedded({ resource, text }: SearchPlan, key: string): Predicate {
  if (text.isIndexed) return ALWAYS
  return {
    kind: "text",
    fields: text.fields.map(({ field }) => field),
    write: (_, row) => embeddedAsSeen(text, { id: resource.id.name, key }, row),
  }
}
