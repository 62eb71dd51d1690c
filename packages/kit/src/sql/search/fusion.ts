import type { Resource } from "../../schema/compile/resource.ts"
import type { Predicate } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { column, idList, quote } from "../text/fragment.ts"
import type { WriteMatch } from "./match.ts"

/** Records with their scores, the best first. */
export type RankedRecords = readonly { readonly id: string; readonly score: number }[]

/** Matches exactly these records, with these scores. */
export function rankedMatch(resource: Resource, records: RankedRecords): WriteMatch {
  return (alias, parameters) => {
    const ids = idList(resource, parameters.add(records.map(({ id }) => id)))
    const scores = `${parameters.add(records.map(({ score }) => score))}::float8[]`
    const isSame = `_ranked.id = ${column(alias, resource.id.name)}`
    return {
      join: ` join unnest(${ids}, ${scores}) as _ranked(id, score) on ${isSame}`,
      condition: "true",
      score: () => "_ranked.score",
    }
  }
}

/** Two ways to find records, whose orders are merged into one. */
interface FusedSearch {
  readonly resource: Resource
  /** The rows that the caller may read. Others take no place in an order. */
  readonly readable: Predicate
  readonly lexical: WriteMatch
  readonly semantic: RankedRecords
}

// The constant of reciprocal rank fusion. The higher it is, the less the first places of an order count.
const RANK_CONSTANT = 60

/**
 * Matches the records that either of two searches finds, by reciprocal rank fusion: a record's score is the sum of
 * 1 / (60 + its place) over the orders that contain it.
 */
export function fusedMatch({ resource, readable, lexical, semantic }: FusedSearch): WriteMatch {
  return (alias, parameters) => {
    const row = parameters.alias()
    const match = lexical(row, parameters)
    const id = column(row, resource.id.name)
    const conditions = `${whereSql(readable, row, parameters)} and ${match.condition}`
    const place = `row_number() over (order by ${match.score()} desc, ${id})`
    const byWords = `select ${id} as id, ${place} as place from ${quote(resource.table)} ${row}${match.join} where ${conditions}`
    const ids = idList(resource, parameters.add(semantic.map((record) => record.id)))
    const byMeaning = `select id, place from unnest(${ids}) with ordinality as _near(id, place)`
    const fused =
      `select id, sum(1 / (${RANK_CONSTANT} + place)::float8) as score ` +
      `from (${byWords} union all ${byMeaning}) as _places group by id`
    return {
      join: ` join (${fused}) as _fused on _fused.id = ${column(alias, resource.id.name)}`,
      condition: "true",
      score: () => "_fused.score",
    }
  }
}
