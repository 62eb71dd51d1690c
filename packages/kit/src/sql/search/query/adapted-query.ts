import { foldWord } from "./fold-word.ts"
import type { SearchQuery, SearchTerm, TermGroup } from "./search-query.ts"

/** The words of one locale that the author has given a special meaning in queries. */
export interface QueryWords {
  /** Lists of words that mean the same. */
  readonly synonyms: readonly (readonly string[])[]
  /** Words that are ignored. */
  readonly stopWords: readonly string[]
}

/** Returns the query without the words that the author has queries ignore, and with synonyms as alternatives. */
export function adaptedQuery(query: SearchQuery, { synonyms, stopWords }: QueryWords): SearchQuery {
  if (synonyms.length === 0 && stopWords.length === 0) return query
  const ignored = new Set(stopWords.map(foldWord))
  const kept = query.groups.filter((group) => !group.every((term) => isIgnored(term, ignored)))
  // A query of nothing but such words is meant as it is.
  const groups = kept.length === 0 ? query.groups : kept
  return { groups: groups.map((group) => withSynonyms(group, synonyms)) }
}

function isIgnored({ words, isPhrase }: SearchTerm, ignored: ReadonlySet<string>): boolean {
  return !isPhrase && words.every((word) => ignored.has(foldWord(word)))
}

function withSynonyms(group: TermGroup, synonyms: QueryWords["synonyms"]): TermGroup {
  return group.flatMap((term) => [term, ...(term.isNegated ? [] : synonymsOf(term, synonyms))])
}

function synonymsOf({ words }: SearchTerm, synonyms: QueryWords["synonyms"]): SearchTerm[] {
  const typed = foldWord(words.join(" "))
  const lists = synonyms.filter((list) => list.some((word) => foldWord(word) === typed))
  const others = new Set(lists.flat().filter((word) => foldWord(word) !== typed))
  return [...others].map((word) => ({ words: [word], isPhrase: true, isNegated: false, isUnfinished: false }))
}
