import type { ResourceField } from "../../schema/compile/resource.ts"
import { visibleSql } from "../filter/where.ts"
import type { Parameters } from "../text/fragment.ts"
import { PLAIN_CONFIGURATION } from "./configurations.ts"
import { excerptsOf, START, STOP } from "./excerpts.ts"
import type { SearchQuery } from "./query/search-query.ts"
import { fieldText } from "./search-text.ts"
import { CONNECTORS } from "./search-vector.ts"

/** The text of hits in which the words of a query are marked. */
export interface HighlightedText {
  /** The fields that the caller may read. Masked fields are null in rows that hide them. */
  readonly fields: readonly ResourceField[]
  readonly configuration: string
  readonly words: MarkedWords
}

/** The words that are marked in a text, wherever they are: a phrase counts as its words. */
interface MarkedWords {
  /** Words that are marked in every form. */
  readonly stems: readonly string[]
  /** Words that are marked as they are spelled. */
  readonly spellings: readonly string[]
  /** Beginnings of words, which are marked as a whole. */
  readonly beginnings: readonly string[]
}

/** Returns the words of the query that a record may have. Returns undefined if a record needs no words. */
export function markedWords({ groups }: SearchQuery): MarkedWords | undefined {
  const terms = groups.flat().filter((term) => !term.isNegated)
  if (terms.length === 0) return undefined
  return {
    stems: terms.flatMap(({ words }) => words),
    spellings: terms.flatMap(({ spellings = [] }) => spellings),
    beginnings: terms.flatMap(({ words, isUnfinished, beginnings = [] }) => [
      ...(isUnfinished ? words : []),
      ...beginnings,
    ]),
  }
}

// Stand for the characters that separate words in the index (`CONNECTORS`), but that PostgreSQL would read as a part of a
// word. They are turned back afterwards.
const STAND_INS = "\u0005\u0006\u0007\u0008"

// Texts up to this length, such as titles, are returned as a whole.
const MAX_WHOLE_CHARACTERS = 200
const MAX_CHARACTERS = 100_000
// The characters of all texts of a page. If there are more, each of the long texts has an equal share.
const MAX_PAGE_CHARACTERS = 250_000
// Each word of a text is compared with each of these.
const MAX_MARKED_WORDS = 32

// The whole text is marked. Of fragments of its own choice PostgreSQL compares each with the query, again and again: a
// text that repeats itself takes seconds.
const OPTIONS = `HighlightAll=true, StartSel="${START}", StopSel="${STOP}"`

/** Where the hits of a page are. */
interface HighlightedPage {
  /** The SQL of the rows of the page: a join after `from`, in which the table has the alias. */
  readonly rows: string
  readonly alias: string
}

/**
 * Returns the SQL of a JSON list with the marked text of each field; null for a field without text. The marks still have
 * to be turned into HTML by `highlightsOf`.
 */
export function highlightsSql(
  { fields, configuration, words }: HighlightedText,
  { rows, alias }: HighlightedPage,
  parameters: Parameters,
): string {
  const stems = anyOf([{ configuration, words: words.stems }], parameters)
  const spelled = anyOf(
    [
      { configuration: PLAIN_CONFIGURATION, words: words.spellings },
      { configuration: PLAIN_CONFIGURATION, words: words.beginnings, ending: ":*" },
    ],
    parameters,
  )
  const options = parameters.add(OPTIONS)
  // The characters beyond the length of the second list are removed.
  const from = parameters.add(CONNECTORS + START + STOP + STAND_INS)
  const to = parameters.add(STAND_INS)
  const texts = fields.map((field) => fieldText(field, visibleSql(field, alias, parameters)))
  const length = shareSql(texts, rows)
  const marked = texts.map((text) => {
    const plain = `translate(left(${text}, ${length}), ${from}, ${to})`
    const once = `ts_headline('${configuration}', ${plain}, ${stems}, ${options})`
    return spelled === undefined ? once : `ts_headline('${PLAIN_CONFIGURATION}', ${once}, ${spelled}, ${options})`
  })
  return `json_build_array(${marked.join(", ")})`
}

// Returns the SQL of the number of characters of each text that are marked.
function shareSql(texts: readonly string[], rows: string): string {
  const lengths = texts.map((text) => `(length(left(${text}, ${MAX_CHARACTERS})))`).join(", ")
  const long = `count(*) filter (where _length > ${MAX_WHOLE_CHARACTERS})`
  const share = `${MAX_PAGE_CHARACTERS} / greatest(1, ${long})::int`
  return `(select case when sum(_length) > ${MAX_PAGE_CHARACTERS} then ${share} else ${MAX_CHARACTERS} end
    from ${rows} cross join lateral (values ${lengths}) _texts(_length))`
}

/** Words whose lexemes are marked. */
interface LexemeList {
  readonly configuration: string
  readonly words: readonly string[]
  /** The text that follows each lexeme in the query. */
  readonly ending?: string
}

// Returns the SQL of a `tsquery` for any of the lexemes of the words, each once; undefined if there are no words.
function anyOf(lists: readonly LexemeList[], parameters: Parameters): string | undefined {
  const parts = lists
    .filter(({ words }) => words.length > 0)
    .map(({ configuration, words, ending = "" }) => {
      const vector = `to_tsvector('${configuration}', ${parameters.add(words.join(" "))})`
      return `(select ${QUOTED_LEXEME} || '${ending}' as part from unnest(${vector}) limit ${MAX_MARKED_WORDS})`
    })
  if (parts.length === 0) return undefined
  return `(select coalesce(string_agg(part, ' | '), '')::tsquery from (${parts.join(" union ")}) _parts)`
}

// Inside of quotes, only the quote itself and the backslash have a meaning.
const QUOTED_LEXEME = `'''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''''`

/** Returns the highlights by field, as HTML. Fields in which nothing is marked are left out. */
export function highlightsOf(fields: readonly ResourceField[], marked: readonly unknown[]): Record<string, string[]> {
  const highlights: Record<string, string[]> = {}
  for (const [index, { name }] of fields.entries()) {
    const text = marked[index]
    if (typeof text !== "string" || !text.includes(START)) continue
    highlights[name] = partsOf(onceMarked(text)).map((part) => toHtml(part.trim()))
  }
  return highlights
}

function partsOf(marked: string): readonly string[] {
  const isShort = marked.length <= MAX_WHOLE_CHARACTERS || marked.replace(MARKS, "").length <= MAX_WHOLE_CHARACTERS
  return isShort ? [marked] : excerptsOf(marked)
}

const MARKS = new RegExp(`[${START}${STOP}]`, "g")

// A word that both passes have marked has two marks.
function onceMarked(text: string): string {
  return text.replaceAll(START + START, START).replaceAll(STOP + STOP, STOP)
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  [START]: "<mark>",
  [STOP]: "</mark>",
  ...Object.fromEntries([...STAND_INS].map((standIn, place) => [standIn, CONNECTORS[place] ?? ""])),
}

function toHtml(text: string): string {
  return text.replace(ESCAPED, (character) => ENTITIES[character] ?? character)
}

const ESCAPED = new RegExp(`[&<>"'${START}${STOP}${STAND_INS}]`, "g")
