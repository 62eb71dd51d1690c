import type { Statement } from "../../../ports/database.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { guardedField } from "../../filter/guarded-filter.ts"
import type { Predicate } from "../../filter/predicate.ts"
import { visibleSql, whereSql } from "../../filter/where.ts"
import { column, Parameters, quote } from "../../text/fragment.ts"
import { foldedSql } from "./folded-text.ts"
import type { WriteTitlePrefilter } from "./title-index.ts"
import { type BoundWords, bindTitleWords, type TitleWords } from "./title-words.ts"

/** A read of the records of one collection whose title matches. */
export interface TitleRead {
  readonly resource: Resource
  /** The title as the caller sees it, perhaps hidden in some rows. */
  readonly title: ResourceField
  /** The rows that the caller may read. */
  readonly readable: Predicate
  /** A condition on an index; undefined to compare all readable titles. */
  readonly prefilter: WriteTitlePrefilter | undefined
}

interface TitlesRead {
  readonly reads: readonly TitleRead[]
  readonly words: TitleWords
  readonly limit: number
}

/**
 * Selects the records of several collections whose title has all of the words, the best matches first. The columns are
 * the place of the read, the id, the title, the rank and the length of the title.
 */
export function selectTitles({ reads, words, limit }: TitlesRead): Statement {
  const parameters = new Parameters()
  const bound = { words: bindTitleWords(words, parameters), limit: parameters.add(limit), parameters }
  const found = reads.map((read, place) => `(${titlesOf(read, place, bound)})`).join(" union all ")
  const text = `select place, id, title, rank, length from (${found}) found order by ${ORDER} limit ${bound.limit}`
  return { text, values: parameters.values }
}

// A shorter title is nearer to what has been typed. No part of the order depends on the database's collation.
const ORDER = 'rank, length, place, title collate "C", id'

interface Bound {
  readonly words: BoundWords
  readonly limit: string
  readonly parameters: Parameters
}

// `offset 0` has each value computed once, and the title only in rows that satisfy the other conditions.
function titlesOf({ resource, title, readable, prefilter }: TitleRead, place: number, bound: Bound): string {
  const { words, limit, parameters } = bound
  const [row, shown, folded] = [parameters.alias(), parameters.alias(), parameters.alias()]
  const value = visibleSql(guardedField(readable, title), row, parameters)
  const from =
    `${quote(resource.table)} ${row} cross join lateral (select ${value} as title offset 0) ${shown} ` +
    `cross join lateral (select ${foldedSql(`${shown}.title`)} as text offset 0) ${folded}`
  const compared = `${folded}.text`
  const narrowed = prefilter ? ` and ${prefilter(row, parameters)}` : ""
  const where = `${whereSql(readable, row, parameters)}${narrowed} and ${words.condition(compared)}`
  const columns = [
    `${place} as place`,
    `${column(row, resource.id.name)}::text as id`,
    `${shown}.title as title`,
    `${words.rank(compared)} as rank`,
    `char_length(${compared}) as length`,
  ]
  const order = `rank, length, ${shown}.title collate "C", ${column(row, resource.id.name)}::text`
  return `select ${columns.join(", ")} from ${from} where ${where} order by ${order} limit ${limit}`
}

/** Selects the number of bytes that a scan of each of these tables reads, in the order of the tables. */
export function selectTableBytes(tables: readonly string[]): Statement {
  return {
    text: "select coalesce(pg_relation_size(to_regclass(quote_ident(name))), 0) from unnest($1::text[]) with ordinality _tables(name, place) order by place",
    values: [tables],
  }
}
