import type { ResourceSearch } from "../../schema/compile/resource.ts"
import { visibleSql } from "../filter/where.ts"
import { column, type Parameters } from "../text/fragment.ts"
import type { WriteMatch } from "./match.ts"
import type { SearchQuery } from "./query/search-query.ts"
import { type Prefilter, prefilterOf, stemsSql, tsquerySql } from "./query/tsquery.ts"
import { contentText, embeddingKey, fieldText, joinEmbedded } from "./search-text.ts"
import { vectorOf } from "./search-vector.ts"
import type { SearchedText } from "./searched-text.ts"

/** Returns a match for the rows whose text matches the query. */
export function wordsMatch(
  text: SearchedText,
  query: SearchQuery,
  { labelWeights: weights }: Pick<ResourceSearch, "labelWeights">,
): WriteMatch {
  return (alias, parameters) => {
    if (query.groups.length === 0) return { join: "", condition: "false", score: () => "0::double precision" }
    const words = `(select ${tsquerySql(query, text.index.configuration, parameters)})`
    const scoreOf = (vector: string) => () =>
      scoreSql({ vector, words, near: nearSql(text, query, { words, parameters }), weights })
    if (text.isIndexed) {
      const vector = column(alias, text.index.vector)
      return { join: "", condition: `${vector} @@ ${words}`, score: scoreOf(vector) }
    }
    const seen = parameters.alias()
    const prefilter = prefilterCondition(text, prefilterOf(query), { alias, parameters })
    // `offset 0` has the vector computed once for a row, and only in rows that satisfy the other conditions.
    const vector = `select ${visibleVector(text, alias, parameters)} as vector offset 0`
    return {
      join: ` cross join lateral (${vector}) ${seen}`,
      condition: `${prefilter}${seen}.vector @@ ${words}`,
      score: scoreOf(`${seen}.vector`),
    }
  }
}

/** Returns the SQL condition that the text of a row matches the query. */
export function matchCondition(
  text: SearchedText,
  query: SearchQuery,
  { alias, parameters }: { readonly alias: string; readonly parameters: Parameters },
): string {
  const { index, isIndexed } = text
  const words = `(select ${tsquerySql(query, index.configuration, parameters)})`
  if (isIndexed) return `${column(alias, index.vector)} @@ ${words}`
  const condition = `${visibleVector(text, alias, parameters)} @@ ${words}`
  return `(${prefilterCondition(text, prefilterOf(query), { alias, parameters })}${condition})`
}

/** Returns the SQL of the vector of the words that the caller may see in a row. */
export function visibleVector({ fields, content, index }: SearchedText, alias: string, parameters: Parameters): string {
  const visible = new Map(fields.map(({ field }) => [field.name, field]))
  const parts = index.fields.map(({ field: { name }, label }) => {
    const field = visible.get(name)
    return { label, text: field && fieldText(field, visibleSql(field, alias, parameters)) }
  })
  const ofContent = content ? [{ label: content.label, text: contentText(alias, { content }, index) }] : []
  return vectorOf([...parts, ...ofContent], index.configuration)
}

/**
 * Returns the SQL condition that the embedded text of a row is the one that the caller sees. It is another one if the
 * caller reads without fallback locales and the row lacks a translation. `id` and `key` are the names of columns.
 */
export function embeddedAsSeen(
  { fields, content, index }: SearchedText,
  { id, key }: { readonly id: string; readonly key: string },
  { alias, parameters }: { readonly alias: string; readonly parameters: Parameters },
): string {
  const embedded = fields.filter(({ isEmbedded }) => isEmbedded)
  const texts = embedded.map(({ field }) => fieldText(field, visibleSql(field, alias, parameters)))
  const ofContent = contentText(alias, { content }, index)
  const all = ofContent === undefined ? texts : [...texts, ofContent]
  if (all.length === 0) return "false"
  return `${column(alias, key)} = ${embeddingKey(joinEmbedded(all), column(alias, id))}`
}

// Returns the SQL of a condition on the stored index, which excludes most of the rows that do not match before the
// vector of what the caller may see is computed.
function prefilterCondition(
  { index }: SearchedText,
  prefilter: Prefilter | undefined,
  { alias, parameters }: { readonly alias: string; readonly parameters: Parameters },
): string {
  if (prefilter === undefined) return ""
  const { query, isOptional } = prefilter
  const vector = column(alias, index.vector)
  if (!isOptional)
    return `${vector} @@ (select ${withoutOrder(tsquerySql(query, index.configuration, parameters))}) and `
  const words = `(select ${withoutOrder(stemsSql(query, index.configuration, parameters))})`
  return `(numnode(${words}) = 0 or ${vector} @@ ${words}) and `
}

// Returns the SQL of a query without the order of its words. PostgreSQL makes a phrase of a word such as "well-known", and
// keeps only the first positions of a long text: hidden text before the word would take them.
function withoutOrder(words: string): string {
  return `regexp_replace((${words})::text, '<(-|[0-9]+)>', '&', 'g')::tsquery`
}

// Finding all places where words are near each other takes time with the third power of their number, in a text that
// repeats them.
const MAX_NEAR_WORDS = 4

// Returns the SQL of the `tsquery` of the words whose nearness to each other counts: the first ones that a record must
// have. Undefined if there is only one. `words` is the SQL of the whole query.
function nearSql(
  { index: { configuration } }: SearchedText,
  { groups }: SearchQuery,
  { words, parameters }: { readonly words: string; readonly parameters: Parameters },
): string | undefined {
  const required = groups.filter((group) => !group.every((term) => term.isNegated))
  const near = required.filter((_, place) => wordsIn(required.slice(0, place + 1)) <= MAX_NEAR_WORDS)
  if (near.length < 2) return undefined
  return near.length === groups.length ? words : `(select ${tsquerySql({ groups: near }, configuration, parameters)})`
}

function wordsIn(groups: SearchQuery["groups"]): number {
  return groups.flat().reduce((sum, { words }) => sum + words.length, 0)
}

/** The parts of a score. All but the factors of the labels is SQL. */
interface Scored {
  readonly vector: string
  /** The `tsquery` of the whole query. */
  readonly words: string
  /** The `tsquery` of the words whose nearness counts. */
  readonly near: string | undefined
  readonly weights: ResourceSearch["labelWeights"]
}

/**
 * Returns the SQL of how well a row's text matches, computed from nothing but that text: how often and where it has the
 * words, and with several words how near they are to each other.
 */
function scoreSql({ vector, words, near, weights: [a, b, c, d] }: Scored): string {
  const factors = `'{${d || SPELLED_FACTOR}, ${c}, ${b}, ${a}}'`
  // If words are joined by AND, `ts_rank` counts nothing but their distances, and so nothing beside an excluded word or one
  // without a position. If they are joined by OR, it counts each of them.
  const alternatives = `(select words || words from (select ${words} as words) typed)`
  const presence = `ts_rank(${factors}, ${vector}, ${alternatives}, ${BY_LENGTH})`
  const nearness = near ? ` + ts_rank_cd(${factors}, ${vector}, ${near}, ${BY_LENGTH | BELOW_ONE})` : ""
  return `(${presence}${nearness})::double precision`
}

// Divides the rank by 1 + the logarithm of the text's length, because a long text has more words by chance.
const BY_LENGTH = 1
// Turns the rank into a number below 1, however often the words are near each other.
const BELOW_ONE = 32
// The words that a vector has as they are spelled have no label of their own and count as D.
const SPELLED_FACTOR = 0.1
