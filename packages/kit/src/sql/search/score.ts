import type { ResourceSearch } from "../../schema/search/resource-search.ts"

/** The vector of a row's text, the words that are searched (both as SQL), and the factors of the labels. */
interface Scored {
  readonly vector: string
  readonly words: string
  readonly weights: ResourceSearch["labelWeights"]
}

/** Returns the SQL of how well a row's text matches, computed from nothing but that text. */
export function scoreSql({ vector, words, weights: [a, b, c, d] }: Scored): string {
  return `ts_rank('{${d || SPELLED_FACTOR}, ${c}, ${b}, ${a}}', ${vector}, ${words}, ${NORMALIZATION})::double precision`
}

// Divides the rank by 1 + the logarithm of the text's length, because a long text has more words by chance.
const NORMALIZATION = 1
// The words that a vector has as they are spelled have no label of their own and count as D.
const SPELLED_FACTOR = 0.1
