import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { Predicate } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { VECTORS, vectorText } from "./vectors.ts"

/** The rows among which the nearest are found. */
export interface NearestRows {
  readonly resource: Resource
  /** The column with the key of a row's text. */
  readonly key: string
  /** The rows that the caller may read. */
  readonly readable: Predicate
  /** The maximum number of rows. */
  readonly limit: number
}

/** Texts by their keys, and how similar each of them is to the query: 1 for the same meaning. */
export interface SimilarTexts {
  readonly keys: readonly string[]
  readonly similarities: readonly number[]
}

/** A similarity has this many digits, so that two ways of computing it return the same number. */
export const SIMILARITY_DIGITS = 6

/** Selects the ids and similarities of the readable rows that have one of the texts, the most similar first. */
export function nearestByKeys(rows: NearestRows, { keys, similarities }: SimilarTexts): Statement {
  const parameters = new Parameters()
  const row = parameters.alias()
  const texts = `unnest(${parameters.add(keys)}::uuid[], ${parameters.add(similarities)}::float8[])`
  const from = `${texts} as _text(key, score) join ${quote(rows.resource.table)} ${row} on ${column(row, rows.key)} = _text.key`
  return select(rows, { row, from, score: "_text.score", condition: undefined, parameters })
}

interface VectorQuery {
  readonly model: string
  readonly vector: Float32Array
  /** Less similar rows are not found. */
  readonly minSimilarity: number
}

/**
 * Selects the ids and similarities of the readable rows whose text is similar, the most similar first, by the extension
 * pgvector. All readable rows are compared, without an index that approximates: it would look at hidden rows first, and
 * so let them change what is found.
 */
export function nearestByVector(rows: NearestRows, { model, vector, minSimilarity }: VectorQuery): Statement {
  const parameters = new Parameters()
  const row = parameters.alias()
  const join = `_stored.model = ${parameters.add(model)} and _stored.key = ${column(row, rows.key)}`
  // The distance of a vector without a direction is not a number.
  const distance = `coalesce(nullif(_stored.vector <=> ${parameters.add(vectorText(vector))}::vector, 'NaN'), 1)`
  const score = `round((1 - ${distance})::numeric, ${SIMILARITY_DIGITS})::float8`
  const from =
    `${quote(rows.resource.table)} ${row} join ${VECTORS} _stored on ${join} ` +
    `cross join lateral (select ${score} as score) as _text`
  const condition = `_text.score >= ${parameters.add(minSimilarity)}`
  return select(rows, { row, from, score: "_text.score", condition, parameters })
}

interface SelectedRows {
  readonly row: string
  readonly from: string
  readonly score: string
  readonly condition: string | undefined
  readonly parameters: Parameters
}

function select({ resource, readable, limit }: NearestRows, selected: SelectedRows): Statement {
  const { row, from, score, condition, parameters } = selected
  const id = column(row, resource.id.name)
  const conditions = [whereSql(readable, row, parameters), ...(condition === undefined ? [] : [condition])]
  const text =
    `select ${id}::text, ${score} from ${from} where ${conditions.join(" and ")} ` +
    `order by ${score} desc, ${id} limit ${parameters.add(limit)}`
  return { text, values: parameters.values }
}
