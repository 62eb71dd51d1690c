import type { Statement } from "../../../ports/database.ts"
import { Parameters } from "../../text/fragment.ts"
import { isWithinOneEdit, withDeletions } from "./one-edit.ts"
import { SEARCH_WORDS } from "./words.ts"

/** The words of a query for which the vocabulary is searched. They are folded as the vocabulary is. */
export interface MisspelledWords {
  readonly words: readonly string[]
  /** The last word of the query, if the person may still be typing it. It has at least four letters. */
  readonly unfinished?: string | undefined
}

/** The words of the vocabulary that a person may have meant. */
export interface Neighbours {
  /** For each word of the query, the words of the vocabulary that are at most one edit away, itself included. */
  readonly words: ReadonlyMap<string, readonly string[]>
  /**
   * The beginnings of words of the vocabulary that are at most one edit away from the unfinished word and have the same
   * first two letters. There are few of them, however many words begin with them.
   */
  readonly beginnings: readonly string[]
}

/**
 * Selects the words of the vocabulary that are one edit away from a word of the query, and more: `decodeNeighbours`
 * keeps the right ones. Undefined if there is no word to look up.
 */
export function selectNeighbours({ words, unfinished }: MisspelledWords): Statement | undefined {
  const parameters = new Parameters()
  const deletions = [...new Set(words.flatMap(withDeletions))]
  const parts = [
    ...(words.length > 0
      ? [`select word, false from ${SEARCH_WORDS} where deletes && ${parameters.add(deletions)}::text[]`]
      : []),
    ...(unfinished === undefined ? [] : [selectBeginnings(unfinished, parameters)]),
  ]
  return parts.length === 0 ? undefined : { text: parts.join(" union all "), values: parameters.values }
}

export function decodeNeighbours({ words }: MisspelledWords, rows: readonly (readonly unknown[])[]): Neighbours {
  const found = rows.filter(([, isBeginning]) => isBeginning === false).map(([word]) => String(word))
  const beginnings = rows.filter(([, isBeginning]) => isBeginning === true).map(([word]) => String(word))
  return {
    words: new Map(words.map((word) => [word, found.filter((other) => isWithinOneEdit(word, other)).sort()])),
    beginnings: [...new Set(beginnings)].sort(),
  }
}

/** The words in a part of the vocabulary's order that begin as the pattern says, in this number of letters. */
interface BeginningRange {
  readonly from: string
  readonly pattern: string
  readonly letters: number
}

const KEPT_LETTERS = 2

// The ranges are joined as rows, so that the statement has the same text for all words.
function selectBeginnings(unfinished: string, parameters: Parameters): string {
  const ranges = beginningRanges([...unfinished])
  const list = (values: readonly unknown[], type: string) => `${parameters.add(values)}::${type}[]`
  const columns = [
    list(
      ranges.map(({ from }) => from),
      "text",
    ),
    list(
      ranges.map(({ from }) => after(from)),
      "text",
    ),
    list(
      ranges.map(({ pattern }) => pattern),
      "text",
    ),
    list(
      ranges.map(({ letters }) => letters),
      "integer",
    ),
  ]
  return `select distinct left(word, _range.letters), true
    from unnest(${columns.join(", ")}) _range("from", "to", pattern, letters)
    join ${SEARCH_WORDS} on word >= _range."from" and word < _range."to" and word like _range.pattern`
}

function beginningRanges(letters: readonly string[]): readonly BeginningRange[] {
  const ranges: BeginningRange[] = [rangeOf(letters)]
  for (let place = KEPT_LETTERS; place < letters.length; place++) {
    const before = letters.slice(0, place)
    const [letter = "", next = ""] = letters.slice(place)
    ranges.push(rangeOf([...before, null, ...letters.slice(place + 1)]))
    ranges.push(rangeOf([...before, null, ...letters.slice(place)]))
    ranges.push(rangeOf([...before, ...letters.slice(place + 1)]))
    if (place + 1 < letters.length) ranges.push(rangeOf([...before, next, letter, ...letters.slice(place + 2)]))
  }
  return ranges
}

// Null stands for any letter.
function rangeOf(letters: readonly (string | null)[]): BeginningRange {
  const open = letters.indexOf(null)
  const from = letters.slice(0, open === -1 ? letters.length : open).join("")
  const pattern = letters.map((letter) => (letter === null ? "_" : letter.replace(/[\\%_]/g, "\\$&"))).join("")
  return { from, pattern: `${pattern}%`, letters: letters.length }
}

// Returns a text that comes after all words that begin with this text. The vocabulary is ordered by code points.
function after(beginning: string): string {
  return `${beginning}\u{10ffff}`
}
