import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import type { Predicate } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { tablesOfRead } from "../read/tables-read.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { facetColumns, facetCounts, HITS, type PlannedFacet } from "./facets.ts"
import { type HighlightedText, highlightsSql } from "./highlights.ts"
import type { WriteMatch } from "./match.ts"

/** A read of the records of one resource that a search finds. */
interface HitsRead {
  readonly resource: Resource
  /** The rows that the caller may read and that match the caller's filter. */
  readonly readable: Predicate
  readonly match: WriteMatch
  readonly window: PageWindow
  readonly facets: readonly PlannedFacet[]
  /** The text whose matching parts are returned with each hit; undefined for none. */
  readonly highlighted: HighlightedText | undefined
}

/**
 * Selects what a search finds, in one row: the total number of hits, the results of the facets as JSON, and the hits of
 * the page as JSON, the best first. Each hit is a list of its id, its score, the time of its creation in microseconds and
 * the list of its highlights.
 */
export function selectHits(read: HitsRead): Statement {
  const parameters = new Parameters()
  const found = foundSql(read, parameters)
  const facets = read.facets.length === 0 ? "'[]'::json" : facetCounts(read.facets, parameters)
  const page = pageSql(read, parameters)
  return {
    text:
      `with ${HITS} as materialized (${found}), ${PAGE} as materialized (${page.rows}) ` +
      `select (select count(*)::int from ${HITS}), ${facets}, (${page.list})`,
    values: parameters.values,
    tablesRead: () =>
      tablesOfRead({ selection: { resource: read.resource, fields: [], relations: [] }, predicate: read.readable }),
  }
}

/** Selects whether a search finds anything. */
export function hasHits({ resource, readable, match }: Pick<HitsRead, "resource" | "readable" | "match">): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const { join, condition } = match(alias, parameters)
  const where = `${whereSql(readable, alias, parameters)} and ${condition}`
  const text = `select exists (select from ${quote(resource.table)} ${alias}${join} where ${where})`
  return { text, values: parameters.values }
}

const PAGE = "_page"

function foundSql({ resource, readable, match, facets }: HitsRead, parameters: Parameters): string {
  const alias = parameters.alias()
  const { join, condition, score } = match(alias, parameters)
  const columns = [
    `${column(alias, resource.id.name)} as id`,
    `${score()} as score`,
    `${resource.createdAt ? column(alias, resource.createdAt.name) : "null::timestamptz"} as created`,
    ...facetColumns(facets, alias, parameters),
  ]
  const where = `${whereSql(readable, alias, parameters)} and ${condition}`
  return `select ${columns.join(", ")} from ${quote(resource.table)} ${alias}${join} where ${where}`
}

// Records with the same score are ordered as in a read without a sort order: the newest first.
function pageSql({ resource, window, highlighted }: HitsRead, parameters: Parameters): { rows: string; list: string } {
  const order = resource.createdAt ? ["score desc", "created desc", "id desc"] : ["score desc", "id"]
  const limits = `limit ${parameters.add(window.limit)} offset ${parameters.add(window.offset)}`
  const rows = `select id, score, created from ${HITS} order by ${order.join(", ")} ${limits}`
  const time = `(extract(epoch from ${PAGE}.created) * 1000000)::bigint`
  const sorted = order.map((key) => `${PAGE}.${key}`).join(", ")
  const list = (more: string) =>
    `select coalesce(json_agg(json_build_array(${PAGE}.id::text, ${PAGE}.score, ${time}${more}) order by ${sorted}), '[]'::json) from ${PAGE}`
  if (highlighted === undefined) return { rows, list: list("") }
  const alias = parameters.alias()
  const joined = `join ${quote(resource.table)} ${alias} on ${column(alias, resource.id.name)} = ${PAGE}.id`
  const marked = highlightsSql(highlighted, { rows: `${PAGE} ${joined}`, alias }, parameters)
  return { rows, list: `${list(`, ${marked}`)} ${joined}` }
}
