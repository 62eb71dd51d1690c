import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { ResourceSearch } from "../../../schema/search/resource-search.ts"
import { fieldSql } from "../../text/field-sql.ts"
import { column, idList, quote } from "../../text/fragment.ts"
import { contentText, fieldText } from "../search-text.ts"

/**
 * The vocabulary: the words of all searchable texts, with folded accents but not reduced to their stems. `deletes` has
 * the word and every text that is left of it without one letter: two words are one edit apart only if they share one.
 * Words are added and never removed. A word that is left over finds nothing.
 */
export const SEARCH_WORDS = quote("_kit_search_words")

export const PREPARE_SEARCH_WORDS: readonly string[] = [
  `create table if not exists ${SEARCH_WORDS} (word text collate "C" primary key, deletes text[] collate "C" not null)`,
  // Without fastupdate, because every lookup would have to read the list of pending entries.
  `create index if not exists "_kit_search_words.deletes" on ${SEARCH_WORDS} using gin (deletes) with (fastupdate = off)`,
]

/** The configuration that folds accents and keeps the words as they are. */
const CONFIGURATION = "_kit_simple"
const MIN_LETTERS = 3
const MAX_LETTERS = 40
const MAX_TEXT_CHARACTERS = 100_000
// The parser also returns numbers, addresses and paths as words. They contain punctuation, or begin with a digit.
const IS_WORD = `word !~ '[!-/:-@[-\`{-~]' and word !~ '^[0-9]' and char_length(word) between ${MIN_LETTERS} and ${MAX_LETTERS}`
const DELETES = `array(select word union select overlay(word placing '' from place for 1) from generate_series(1, char_length(word)) place)`

/**
 * Adds the words of these records to the vocabulary. The words are inserted in order, so that processes that insert the
 * same words wait for each other and never deadlock.
 */
export function addWords(resource: Resource, search: ResourceSearch, ids: readonly string[]): Statement {
  const texts = searchedTexts(search).map((text) => `(${text})`)
  const words = `select distinct _lexeme.lexeme collate "C" as word
    from ${quote(resource.table)} t
    cross join lateral (values ${texts.join(", ")}) _text(value)
    cross join lateral unnest(to_tsvector('${CONFIGURATION}', left(_text.value, ${MAX_TEXT_CHARACTERS}))) _lexeme
    where ${column("t", resource.id.name)} = any(${idList(resource, "$1")})`
  const text = `insert into ${SEARCH_WORDS} (word, deletes)
    select word, ${DELETES} from (${words}) _word
    where ${IS_WORD} and not exists (select from ${SEARCH_WORDS} _known where _known.word = _word.word)
    order by word on conflict do nothing`
  return { text, values: [ids] }
}

function searchedTexts(search: ResourceSearch): readonly string[] {
  const texts = search.indexes.flatMap((index) => [
    ...index.fields.map(({ field }) => fieldText(field, fieldSql("t", field))),
    ...[contentText("t", search, index) ?? []].flat(),
  ])
  return [...new Set(texts)]
}
