import { escapePattern } from "../../../wire/matching/like-pattern.ts"
import type { Parameters } from "../../text/fragment.ts"
import { foldText, spacedSql, splitWords } from "./folded-text.ts"

// Each further word is one more comparison for every title.
const MAX_WORDS = 8

/** The beginnings of words that a title has to have. */
export interface TitleWords {
  /** The words in lower case and without accents. */
  readonly folded: readonly string[]
  /** The words as they were typed. */
  readonly typed: readonly string[]
}

/** Parses the text by which titles are found. There are no words if it consists of nothing but punctuation. */
export function parseTitleWords(query: string): TitleWords {
  return { folded: onceEach(splitWords(foldText(query))), typed: onceEach(splitWords(query)) }
}

function onceEach(words: readonly string[]): readonly string[] {
  return [...new Set(words)].slice(0, MAX_WORDS)
}

/** The words of a search for titles in a statement. */
export interface BoundWords {
  /** Returns the condition that a folded title has all of the words. */
  condition(title: string): string
  /** Returns how well a folded title matches: 0 if it is the query, 1 if it begins with it, otherwise 2. */
  rank(title: string): string
}

/** Binds the words once for all titles of a statement. */
export function bindTitleWords({ folded }: TitleWords, parameters: Parameters): BoundWords {
  const inside = folded.map((word) => parameters.add(`%${escapePattern(word)}%`))
  const begun = folded.map((word) => parameters.add(`% ${escapePattern(word)}%`))
  const whole = ` ${folded.join(" ")}`
  const [same, first] = [parameters.add(whole), parameters.add(`${escapePattern(whole)}%`)]
  // PostgreSQL evaluates the cheaper conditions first. Without those that do not look for the beginnings of words, a
  // search takes 5 times as long, because separators are replaced in every title.
  return {
    condition: (title) =>
      [
        ...inside.map((pattern) => `${title} like ${pattern}`),
        ...begun.map((pattern) => `${spacedSql(title)} like ${pattern}`),
      ].join(" and "),
    rank: (title) =>
      `case when ${spacedSql(title)} = ${same} then 0 when ${spacedSql(title)} like ${first} then 1 else 2 end`,
  }
}
