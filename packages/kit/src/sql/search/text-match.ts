import type { ResourceSearch } from "../../schema/search/resource-search.ts"
import { visibleSql } from "../filter/where.ts"
import { column, type Parameters } from "../text/fragment.ts"
import type { WriteMatch } from "./match.ts"
import type { SearchQuery } from "./query/search-query.ts"
import { type Prefilter, prefilterOf, stemsSql, tsquerySql } from "./query/tsquery.ts"
import { scoreSql } from "./score.ts"
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
    if (query.groups.length === 0) return { join: "", condition: "false", score: "0::double precision" }
    const words = `(select ${tsquerySql(query, text.index.configuration, parameters)})`
    const positive = positiveQuery(query)
    const scored = positive ? `(select ${tsquerySql(positive, text.index.configuration, parameters)})` : words
    if (text.isIndexed) {
      const vector = column(alias, text.index.vector)
      return { join: "", condition: `${vector} @@ ${words}`, score: scoreSql({ vector, words: scored, weights }) }
    }
    const seen = parameters.alias()
    const prefilter = prefilterCondition(text, prefilterOf(query), { alias, parameters })
    // `offset 0` has the vector computed once for a row, and only in rows that satisfy the other conditions.
    const vector = `select ${visibleVector(text, alias, parameters)} as vector offset 0`
    return {
      join: ` cross join lateral (${vector}) ${seen}`,
      condition: `${prefilter}${seen}.vector @@ ${words}`,
      score: scoreSql({ vector: `${seen}.vector`, words: scored, weights }),
    }
  }
}

// Returns the query without its negated terms, if it has some and others. PostgreSQL would rank all records equally by a
// query with a word that none of them has.
function positiveQuery({ groups }: SearchQuery): SearchQuery | undefined {
  const positive = groups.map((group) => group.filter((term) => !term.isNegated)).filter((group) => group.length > 0)
  const hasNegated = groups.flat().some((term) => term.isNegated)
  return hasNegated && positive.length > 0 ? { groups: positive } : undefined
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
 * caller reads without fallback locales and the row lacks a translation.
 */
export function embeddedAsSeen(
  { fields, content, index }: SearchedText,
  key: string,
  { alias, parameters }: { readonly alias: string; readonly parameters: Parameters },
): string {
  const embedded = fields.filter(({ isEmbedded }) => isEmbedded)
  const texts = embedded.map(({ field }) => fieldText(field, visibleSql(field, alias, parameters)))
  const ofContent = contentText(alias, { content }, index)
  const all = ofContent === undefined ? texts : [...texts, ofContent]
  if (all.length === 0) return "false"
  return `${column(alias, key)} = ${embeddingKey(joinEmbedded(all))}`
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
