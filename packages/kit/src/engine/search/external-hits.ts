import { isMasked } from "../../sql/filter/masked-field.ts"
import { CONTENT_TEXT } from "../../sql/search/content/documents.ts"
import type { RankedRecords } from "../../sql/search/fusion.ts"
import { isAsIndexed } from "../../sql/search/searched-text.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { storedId } from "../read/by-id.ts"
import type { SearchPlan } from "./search-plan.ts"

// A search engine outside of the database is asked for at most this many records, before rights and filters.
const MAX_HITS = 10_000

/**
 * Returns the records that the search engine outside of the database finds, readable or not. Returns undefined if the
 * built-in index has to be searched: there is no other engine, or fallback locales are turned off, whose texts are a part
 * of the engine's documents.
 */
export async function findExternally(ctx: OperationContext, plan: SearchPlan): Promise<RankedRecords | undefined> {
  const { external } = ctx.search
  const { resource, text, query } = plan
  const seen = text.fields.filter(({ field }) => !isMasked(field))
  if (external === undefined || !seen.every(isAsIndexed(text.index))) return undefined
  const fields = [...seen.map(({ field }) => field.name), ...(text.content ? [CONTENT_TEXT] : [])]
  if (fields.length === 0) return []
  const found = await external.find({
    text: query,
    collection: resource.name,
    locale: text.index.locale ?? ctx.schema.locales.default,
    stage: ctx.schema.stages.find((stage) => stage.resource.table === resource.table)?.stage,
    fields,
    limit: MAX_HITS,
  })
  return knownIds(plan, found)
}

// An engine may return what is no id of the collection, and a record more than once.
function knownIds({ resource }: SearchPlan, found: RankedRecords): RankedRecords {
  const scores = new Map<string, number>()
  for (const { id, score } of found) {
    const stored = storedId(resource, id)
    if (stored !== undefined) scores.set(stored, Math.max(score, scores.get(stored) ?? score))
  }
  return Array.from(scores, ([id, score]) => ({ id, score }))
}
