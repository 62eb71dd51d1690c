import type { Statement } from "../../../ports/database.ts"
import type { Resource, ResourceSearch } from "../../../schema/compile/resource.ts"
import { column, idList, quote } from "../../text/fragment.ts"
import { quoteText } from "../../text/literal.ts"
import { prepareFunction } from "../../text/own-function.ts"
import { createOwnIndex } from "../../text/own-index.ts"

/**
 * The vocabulary: the words of all search vectors, as they are spelled and as stems, with folded accents. Every word of
 * a row is in it from the write of the row on, so that it says nothing about other rows: a record is found by a word
 * only if its own vector has exactly that word. Words are added and never removed; a word that is left over finds nothing.
 *
 * A word may be in it more than once. If it were unique, a write would wait for every open transaction that has written
 * the same new word, and two of them could wait for each other.
 */
export const SEARCH_WORDS = quote("_kit_search_words")

/** The function that adds words. The triggers of searchable tables call it. */
const WORDS_FUNCTION = "_kit_search_add_words"

const MIN_LETTERS = 3
/** Longer words are not in the vocabulary. */
export const MAX_LETTERS = 40
// The parser also returns numbers, addresses and paths as words. They contain punctuation, or begin with a digit.
const IS_WORD = `word !~ '[!-/:-@[-\`{-~]' and word !~ '^[0-9]' and char_length(word) between ${MIN_LETTERS} and ${MAX_LETTERS}`

// Words that the row had before are known. The subselect with a limit is looked up in the index for each word; a join
// could be planned as a read of the whole vocabulary, and the plan is kept while the vocabulary grows.
const BODY = `
begin
  if before is not null then
    after := ts_delete(after, tsvector_to_array(before));
  end if;
  insert into ${SEARCH_WORDS} (word)
  select word from (select lexeme collate "C" as word from unnest(tsvector_to_array(after)) lexeme) _word
  where ${IS_WORD} and (select true from ${SEARCH_WORDS} _known where _known.word = _word.word limit 1) is null;
end
`

/** The SQL that creates the vocabulary and its function, and changes a vocabulary of an earlier version. */
export const PREPARE_SEARCH_WORDS: readonly string[] = [
  `create table if not exists ${SEARCH_WORDS} (word text collate "C" not null)`,
  dropDeletes(),
  createOwnIndex("_kit_search_words.word", `${SEARCH_WORDS} (word)`),
  createOwnIndex("_kit_search_words.reversed", `${SEARCH_WORDS} (reverse(word))`),
  prepareFunction({
    ...{ name: WORDS_FUNCTION, parameters: "after tsvector, before tsvector", returns: "void", body: BODY },
    attributes: "set enable_seqscan = off",
  }),
]

/**
 * Returns the statement of a trigger that adds the words of a vector. `before` is the SQL of the vector before the write,
 * which is null for a new row.
 */
export function learnWords(after: string, before: string): string {
  return `perform ${WORDS_FUNCTION}(${after}, ${before});`
}

/** Adds the words of these records to the vocabulary, whether or not they have changed. */
export function addWords(resource: Resource, search: ResourceSearch, ids: readonly string[]): Statement {
  const calls = search.indexes.map(({ vector }) => `${WORDS_FUNCTION}(${column("t", vector)}, null)`)
  const text = `select ${calls.join(", ")} from ${quote(resource.table)} t
    where ${column("t", resource.id.name)} = any(${idList(resource, "$1")})`
  return { text, values: [ids] }
}

// Earlier, the words were unique and had a list of texts beside them.
function dropDeletes(): string {
  const isOld = `exists (select from pg_attribute where attrelid = '${SEARCH_WORDS}'::regclass and attname = 'deletes' and not attisdropped)`
  const change = `alter table ${SEARCH_WORDS} drop column deletes, drop constraint if exists "_kit_search_words_pkey"`
  return `do ${quoteText(`begin if ${isOld} then ${change}; end if; end`)}`
}
