import type { ResourceField } from "../../schema/compile/resource.ts"
import { visibleSql } from "../filter/where.ts"
import type { Parameters } from "../text/fragment.ts"

/** The name that a hits statement gives to its found rows, over which the facets are counted. */
export const HITS = "_hits"

/** A facet whose options have been checked. The found rows are counted by the values, or by the ranges, of its field. */
export interface PlannedFacet {
  /** The field as the caller sees it: a masked field counts only in rows that show it. */
  readonly field: ResourceField
  /** The maximum number of values; the most frequent ones, or the first ones, are kept. */
  readonly limit: number
  readonly sortBy: "count" | "value"
  readonly ranges: readonly PlannedRange[] | undefined
}

/** A range of values: from <= value < to. A bound is a value as the field's type stores it, or undefined for none. */
export interface PlannedRange {
  readonly from: unknown
  readonly to: unknown
}

/** Returns the columns that the common table expression `_hits` needs for the facets, each with its name. */
export function facetColumns(facets: readonly PlannedFacet[], alias: string, parameters: Parameters): string[] {
  return facets.map(({ field }, index) => `${visibleSql(field, alias, parameters)} as ${columnName(index)}`)
}

/**
 * Returns the SQL of a JSON list with the result of each facet, counted over the rows of `_hits`: a list of pairs
 * [value, count], or the list of the ranges' counts.
 */
export function facetCounts(facets: readonly PlannedFacet[], parameters: Parameters): string {
  const counts = facets.map((facet, index) =>
    facet.ranges ? rangeCounts(facet, index, parameters) : valueCounts(facet, index, parameters),
  )
  return `json_build_array(${counts.join(", ")})`
}

function columnName(index: number): string {
  return `_facet${index}`
}

function valueCounts({ field, limit, sortBy }: PlannedFacet, index: number, parameters: Parameters): string {
  const name = columnName(index)
  const { sqlType } = field.type.element ?? field.type
  // A record that has a value twice in its list counts once.
  const values = field.type.element
    ? `select one.value from ${HITS}, lateral (select distinct unnest(${HITS}.${name}) as value) one`
    : `select ${name} as value from ${HITS}`
  const byValue = sqlType === "text" ? `value collate "C"` : "value"
  const order = sortBy === "count" ? `count(*) desc, ${byValue}` : byValue
  const groups =
    `select value, count(*)::int as count, row_number() over (order by ${order}) as place ` +
    `from (${values}) each_value where value is not null group by value order by place limit ${parameters.add(limit)}`
  const value = EXACT_NUMBER.test(sqlType) ? "value::text" : "value"
  const pairs = `json_agg(json_build_array(${value}, count) order by place)`
  return `(select coalesce(${pairs}, '[]'::json) from (${groups}) value_counts)`
}

// A JSON number would lose some of the digits of such a value.
const EXACT_NUMBER = /^(bigint|numeric)\b/

function rangeCounts({ field, ranges = [] }: PlannedFacet, index: number, parameters: Parameters): string {
  const name = columnName(index)
  const type = field.type.sqlType
  const counts = ranges.map(({ from, to }) => {
    const conditions = [
      ...(from === undefined ? [] : [`${name} >= ${parameters.add(from)}::${type}`]),
      ...(to === undefined ? [] : [`${name} < ${parameters.add(to)}::${type}`]),
    ]
    return `count(*) filter (where ${conditions.join(" and ") || `${name} is not null`})::int`
  })
  return `(select json_build_array(${counts.join(", ")}) from ${HITS})`
}
