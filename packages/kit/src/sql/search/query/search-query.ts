/** The text that a person typed, as a tree. A record is found if it matches every group. */
export interface SearchQuery {
  readonly groups: readonly TermGroup[]
}

/** Alternatives, of which a record needs to match only one. */
export type TermGroup = readonly SearchTerm[]

export interface SearchTerm {
  /** One word, or the words of a phrase in their order. */
  readonly words: readonly string[]
  /** True if the words must follow each other, false if they may be anywhere in the record. */
  readonly isPhrase: boolean
  /** True if only records without the term match. */
  readonly isNegated: boolean
  /** True for a word that is perhaps not complete yet, so that longer words match too. It is in the last group. */
  readonly isUnfinished: boolean
  /** Words of records that count as this word although they are spelled differently. They are not reduced to stems. */
  readonly spellings?: readonly string[]
  /** Beginnings of such words. */
  readonly beginnings?: readonly string[]
}

export const MAX_QUERY_WORDS = 32

// A word that the database would make longer than 2,046 bytes fails. 100 characters stay below that, however many
// bytes their unaccented form has.
const MAX_WORD_LENGTH = 100

/**
 * Parses the text of a search: words, `"phrases"`, `-word` and `-"phrase"` for what a record must not contain, and `OR`
 * between two alternatives. Everything else is plain text, so no text is invalid. Words beyond the limit are ignored, and
 * so is what has been said already.
 *
 * A query without any letter or digit has no groups.
 */
export function parseQuery(text: string): SearchQuery {
  const tokens = limitWords(tokensOf(text))
  const groups: SearchTerm[][] = []
  let isAlternative = false
  for (const [index, token] of tokens.entries()) {
    const isBetween = groups.length > 0 && index + 1 < tokens.length
    if (token.isOr && isBetween && !isAlternative) {
      isAlternative = true
      continue
    }
    const group = groups.at(-1)
    if (isAlternative && group) group.push(token.term)
    else groups.push([token.term])
    isAlternative = false
  }
  return { groups: onceEach(groups.map(onceEach)) }
}

// Returns the terms, or the groups of terms, without those that are in the list already. They would change nothing but
// the time that the database needs.
function onceEach<Part extends SearchTerm | TermGroup>(parts: readonly Part[]): readonly Part[] {
  const said = parts.map((part) => JSON.stringify(part).toLowerCase())
  return parts.filter((_, place) => said.indexOf(said[place] ?? "") === place)
}

interface Token {
  readonly term: SearchTerm
  /** True for the word OR in upper case. */
  readonly isOr: boolean
}

// A phrase in quotes or a run of other characters, each perhaps after a minus sign. A quotation mark without a partner
// matches neither, and so separates words. Typographic quotation marks count as plain ones.
const TOKEN = /(?<minus>(?<=^|\s)-(?!-))?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu

// A letter or digit at the end, or a character that may be inside of a word, as in "node.js". After other characters,
// such as the plus of "c++", the last word is complete.
const MAY_GO_ON = /[\p{L}\p{M}\p{N}.'’-]$/u

function tokensOf(text: string): Token[] {
  const plain = text.replace(/[“”„‟«»]/gu, '"')
  return [...plain.matchAll(TOKEN)].flatMap((found) => {
    const { minus, phrase, word } = found.groups ?? {}
    const isNegated = minus !== undefined
    if (phrase !== undefined) return phraseTokens(wordsIn(phrase), isNegated)
    const isLast = found.index + found[0].length === plain.length && MAY_GO_ON.test(plain)
    return wordTokens(wordsIn(word ?? ""), { isNegated, isLast, isOr: word === "OR" && !isNegated })
  })
}

function phraseTokens(words: readonly string[], isNegated: boolean): Token[] {
  return words.length === 0 ? [] : [{ term: { words, isPhrase: true, isNegated, isUnfinished: false }, isOr: false }]
}

// Words that are joined only by punctuation are words of their own. If they are negated, all of them have to be missing
// together, as a phrase.
function wordTokens(
  words: readonly string[],
  { isNegated, isLast, isOr }: { isNegated: boolean; isLast: boolean; isOr: boolean },
): Token[] {
  if (isNegated) return phraseTokens(words, true)
  return words.map((word, index) => {
    const isUnfinished = isLast && index === words.length - 1
    return {
      term: { words: [word], isPhrase: false, isNegated, isUnfinished, ...signedNumber(word, isUnfinished) },
      isOr,
    }
  })
}

// The database reads "XJ-900" as the word "XJ" and the number "-900", which "900" should find.
function signedNumber(word: string, isUnfinished: boolean): Pick<SearchTerm, "spellings" | "beginnings"> {
  if (!/^\d+$/.test(word)) return {}
  return isUnfinished ? { beginnings: [`-${word}`] } : { spellings: [`-${word}`] }
}

// Characters that are never a part of a word. Those that connect the parts of an address separate words in the text of
// records, too (`separateWords`).
const SEPARATORS = /[\s_@/~,;!()[\]{}<>|*"^`´…·•。、，！？（）「」]+/u

function wordsIn(text: string): string[] {
  return text.split(SEPARATORS).flatMap((part) => (/[\p{L}\p{N}]/u.test(part) ? [shortened(part)] : []))
}

function shortened(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join("")
}

// Keeps the first words up to the limit. A phrase that exceeds the limit is cut, which makes it match more records.
function limitWords(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  let room = MAX_QUERY_WORDS
  for (const { term, isOr } of tokens) {
    if (room === 0) break
    const words = term.words.slice(0, room)
    room -= words.length
    kept.push({ term: { ...term, words }, isOr })
  }
  return kept
}
