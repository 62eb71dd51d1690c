import type { Statement } from "../../../ports/database.ts"
import { Parameters } from "../../text/fragment.ts"
import { isWithinOneEdit, sharedEnds } from "./one-edit.ts"
import { MAX_LETTERS, SEARCH_WORDS } from "./words.ts"

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
  const known = words.filter((word) => [...word].length <= MAX_LETTERS + 1)
  const parts = [
    ...(known.length > 0 ? [selectSimilar(known, parameters)] : []),
    ...(unfinished === undefined ? [] : [selectBeginnings(unfinished, parameters)]),
  ]
  return parts.length === 0 ? undefined : { text: parts.join(" union all "), values: parameters.values }
}

export function decodeNeighbours({ words }: MisspelledWords, rows: readonly (readonly unknown[])[]): Neighbours {
  const similar = new Map<string, string[]>(words.map((word) => [word, []]))
  const beginnings = new Set<string>()
  for (const [found, typed] of rows) {
    const [word, of] = [String(found), String(typed)]
    if (typed === null) beginnings.add(word)
    else if (isWithinOneEdit(of, word)) similar.get(of)?.push(word)
  }
  for (const found of similar.values()) found.sort()
  return { words: similar, beginnings: shortest([...beginnings]) }
}

// Leaves out beginnings that begin with another one.
function shortest(beginnings: readonly string[]): readonly string[] {
  return beginnings.filter((text) => !beginnings.some((other) => other !== text && text.startsWith(other))).sort()
}

const KEPT_LETTERS = 2
// Comes after all letters. The vocabulary is ordered by code points.
const LAST = "\u{10ffff}"

// Selects words that have the same first letters as a word of the query or the same last ones, each word once, and beside
// it the word of the query.
function selectSimilar(words: readonly string[], parameters: Parameters): string {
  const ends = words.map(sharedEnds)
  const list = (values: readonly string[]) => `${parameters.add(values)}::text[]`
  const last = `${parameters.add(LAST)}::text`
  const columns = [words, ends.map(({ start }) => start), ends.map(({ reversedEnd }) => reversedEnd)].map(list)
  const typed = `unnest(${columns.join(", ")}) _typed(_word, _start, _end)`
  const hasLength = "char_length(word) between char_length(_word) - 1 and char_length(_word) + 1"
  return `(select word, _word from ${typed} join ${SEARCH_WORDS} on word >= _start and word < _start || ${last} and ${hasLength}
    union select word, _word from ${typed} join ${SEARCH_WORDS} on reverse(word) >= _end and reverse(word) < _end || ${last} and ${hasLength})`
}

/** The beginnings of words that have some letter at one place: the texts before and after that letter. */
interface OpenBeginning {
  readonly start: string
  readonly ending: string
}

// For each place at which any letter may be, the letters that words have there are read from the order of the index,
// one step for each letter. Then each beginning is looked up. So the time does not depend on the number of words.
function selectBeginnings(unfinished: string, parameters: Parameters): string {
  const { fixed, open } = possibleBeginnings([...unfinished])
  const list = (values: readonly string[]) => `${parameters.add(values)}::text[]`
  const last = `${parameters.add(LAST)}::text`
  const starts = list([...new Set(open.map(({ start }) => start))])
  const nextLetter = (after: string) =>
    `(select substr(word, char_length(_start) + 1, 1) from ${SEARCH_WORDS} where word > ${after} and word < _start || ${last} order by word limit 1)`
  const opened = `${list(open.map(({ start }) => start))}, ${list(open.map(({ ending }) => ending))}`
  return `(with recursive _letters(_start, _letter) as (
      select _start, ${nextLetter("_start")} from unnest(${starts}) _starts(_start)
      union all
      select _start, ${nextLetter(`_start || _letter || ${last}`)} from _letters where _letter is not null
    ), _beginnings(_beginning) as (
      select unnest(${list(fixed)})
      union
      select _start || _letter || _ending from unnest(${opened}) _open(_start, _ending) join _letters using (_start)
    )
    select _beginning, null from _beginnings
    where exists (select from ${SEARCH_WORDS} where word >= _beginning and word < _beginning || ${last}))`
}

function possibleBeginnings(letters: readonly string[]): {
  readonly fixed: readonly string[]
  readonly open: readonly OpenBeginning[]
} {
  const places = letters.map((_, place) => place).slice(KEPT_LETTERS)
  const textOf = (from: number, to?: number) => letters.slice(from, to).join("")
  const fixed = places.flatMap((place) => [
    textOf(0, place) + textOf(place + 1),
    textOf(0, place) + textOf(place + 1, place + 2) + textOf(place, place + 1) + textOf(place + 2),
  ])
  const open = places.flatMap((place) => [
    { start: textOf(0, place), ending: textOf(place + 1) },
    { start: textOf(0, place), ending: textOf(place) },
  ])
  return { fixed: [letters.join(""), ...fixed], open }
}
