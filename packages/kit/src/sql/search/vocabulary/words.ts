import type { Statement } from "../../../ports/database.ts"
import type { Resource, ResourceSearch } from "../../../schema/compile/resource.ts"
import { column, idList, quote } from "../../text/fragment.ts"

/**
 * The vocabulary: the words of all search vectors, as they are spelled and as stems, with folded accents. A record is
 * found by a word only if its own vector has exactly that word, so words of other records change nothing. `deletes` has
 * the word and every text that is left of it without one letter: two words are one edit apart only if they share one.
 * Words are added and never removed. A word that is left over finds nothing.
 */
export const SEARCH_WORDS = quote("_kit_search_words")

export const PREPARE_SEARCH_WORDS: readonly string[] = [
  `create table if not exists ${SEARCH_WORDS} (word text collate "C" primary key, deletes text[] collate "C" not null)`,
  // Without fastupdate, because every lookup would have to read the list of pending entries.
  `create index if not exists "_kit_search_words.deletes" on ${SEARCH_WORDS} using gin (deletes) with (fastupdate = off)`,
]

const MIN_LETTERS = 3
const MAX_LETTERS = 40
// The parser also returns numbers, addresses and paths as words. They contain punctuation, or begin with a digit.
const IS_WORD = `word !~ '[!-/:-@[-\`{-~]' and word !~ '^[0-9]' and char_length(word) between ${MIN_LETTERS} and ${MAX_LETTERS}`
const DELETES = `array(select word union select overlay(word placing '' from place for 1) from generate_series(1, char_length(word)) place)`

/**
 * Adds the words of these records to the vocabulary. The words are inserted in order, so that processes that insert the
 * same words wait for each other and never deadlock.
 */
export function addWords(resource: Resource, search: ResourceSearch, ids: readonly string[]): Statement {
  const vectors = search.indexes.map(({ vector }) => `(${column("t", vector)})`)
  const words = `select distinct lexeme collate "C" as word
    from ${quote(resource.table)} t
    cross join lateral (values ${vectors.join(", ")}) _vector(value)
    cross join lateral unnest(tsvector_to_array(_vector.value)) lexeme
    where ${column("t", resource.id.name)} = any(${idList(resource, "$1")})`
  const text = `insert into ${SEARCH_WORDS} (word, deletes)
    select word, ${DELETES} from (${words}) _word
    where ${IS_WORD} and not exists (select from ${SEARCH_WORDS} _known where _known.word = _word.word)
    order by word on conflict do nothing`
  return { text, values: [ids] }
}
