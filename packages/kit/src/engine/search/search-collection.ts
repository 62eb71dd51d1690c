import { condition } from "../../sql/read/select.ts"
import { facetColumns, facetCounts, HITS } from "../../sql/search/facets.ts"
import { column, Parameters, quote } from "../../sql/text/fragment.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { CollectionHits, SearchPlan } from "./search-plan.ts"

/** Finds the records of one collection: for now all readable ones, the newest first. */
export async function searchCollection(
  ctx: OperationContext,
  { resource, readable, window, facets }: SearchPlan,
): Promise<CollectionHits> {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const { createdAt, id } = resource
  const time = createdAt ? `(extract(epoch from ${column(alias, createdAt.name)}) * 1000000)::float8` : "0::float8"
  const columns = [`${column(alias, id.name)} as id`, `${time} as place`, ...facetColumns(facets, alias, parameters)]
  const where = condition(readable, alias, parameters)
  const hits = `select ${columns.join(", ")} from ${quote(resource.table)} ${alias}${where}`
  const counts = facetCounts(facets, parameters)
  const page = `select id, place from ${HITS} order by place desc, id desc limit ${parameters.add(window.limit)} offset ${parameters.add(window.offset)}`
  const list = `(select coalesce(json_agg(json_build_array(id, place) order by place desc, id desc), '[]') from (${page}) page)`
  const text = `with ${HITS} as materialized (${hits}) select (select count(*)::int from ${HITS}), ${counts}, ${list}`
  const { rows } = await ctx.connection.query({ text, values: parameters.values })
  const [total, facetResults, found] = rows[0] ?? []
  return {
    total: Number(total),
    facets: facetResults as readonly unknown[],
    hits: (found as readonly [string, number][]).map(([hit, order]) => ({ id: hit, score: 0, order, highlights: {} })),
    step: 0,
  }
}
