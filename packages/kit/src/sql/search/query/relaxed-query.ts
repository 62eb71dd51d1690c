import type { Neighbours } from "../vocabulary/neighbours.ts"
import { foldWord } from "./fold-word.ts"
import type { SearchQuery, SearchTerm } from "./search-query.ts"

/** The words of a query that are perhaps misspelled, folded. */
interface ForgivableWords {
  readonly words: readonly string[]
  readonly unfinished: string | undefined
}

const MIN_LETTERS = 5
// If no word of a query is longer, shorter words are forgiven, too.
const MIN_LETTERS_IN_SHORT_QUERIES = 4

/** Returns the words that are long enough to be recognised although they are misspelled. */
export function forgivableWords({ groups }: SearchQuery): ForgivableWords {
  const terms = groups.flat().filter(isForgivable)
  const least = terms.some((term) => lettersOf(term) >= MIN_LETTERS) ? MIN_LETTERS : MIN_LETTERS_IN_SHORT_QUERIES
  const long = terms.filter((term) => lettersOf(term) >= least)
  const unfinished = long.find((term) => term.isUnfinished)?.words.at(0)
  return {
    words: [...new Set(long.flatMap(({ words }) => words).flatMap(spellingsOf))],
    unfinished: unfinished === undefined ? undefined : foldWord(unfinished),
  }
}

/**
 * Returns the query with the words of the vocabulary that the misspelled words may mean. Returns undefined if there are
 * none but the words themselves.
 */
export function forgivingQuery(
  { groups }: SearchQuery,
  { words: known, unfinished }: ForgivableWords,
  neighbours: Neighbours,
): SearchQuery | undefined {
  const forgiven = new Set(known)
  let isChanged = false
  const forgive = (term: SearchTerm): SearchTerm => {
    const typed = term.words.flatMap(spellingsOf)
    if (!isForgivable(term) || !typed.some((word) => forgiven.has(word))) return term
    const spellings = typed.flatMap((word) => neighbours.words.get(word) ?? []).filter((word) => !typed.includes(word))
    const isBegun = term.isUnfinished && unfinished !== undefined
    const beginnings = isBegun ? neighbours.beginnings.filter((word) => word !== unfinished) : []
    if (spellings.length + beginnings.length === 0) return term
    isChanged = true
    return { ...term, spellings, beginnings }
  }
  const query = { groups: groups.map((group) => group.map(forgive)) }
  return isChanged ? query : undefined
}

/**
 * Returns the query for records with any of the words and phrases, but none of the negated ones. Returns undefined if
 * there is only one of them, so that it would not find more.
 */
export function anyWordQuery({ groups }: SearchQuery): SearchQuery | undefined {
  const positive = groups.flat().filter((term) => !term.isNegated)
  const negated = groups.filter((group) => group.every((term) => term.isNegated))
  return groups.length - negated.length > 1 ? { groups: [...negated, positive] } : undefined
}

function isForgivable({ words, isPhrase, isNegated }: SearchTerm): boolean {
  return !isPhrase && !isNegated && words.every((word) => /^[\p{L}\p{M}'’]+$/u.test(word))
}

function lettersOf({ words }: SearchTerm): number {
  return [...words.join("")].length
}

// The vocabulary has words without accents, unless the database lacks the extension that removes them.
function spellingsOf(word: string): readonly string[] {
  return [...new Set([word.toLowerCase(), foldWord(word)])]
}
