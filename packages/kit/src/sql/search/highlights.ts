import type { ResourceField } from "../../schema/compile/resource.ts"
import { visibleSql } from "../filter/where.ts"
import type { Parameters } from "../text/fragment.ts"
import type { SearchQuery, SearchTerm } from "./query/search-query.ts"
import { tsquerySql } from "./query/tsquery.ts"
import { fieldText } from "./search-text.ts"

/** The text of a hit in which the words of a query are marked. */
export interface HighlightedText {
  /** The fields that the caller may read. Masked fields are null in rows that hide them. */
  readonly fields: readonly ResourceField[]
  readonly configuration: string
  /** The query that `highlightsQuery` returned. */
  readonly query: SearchQuery
}

/**
 * Returns the query with all terms that a record may have as alternatives, so that a field with only one of the words
 * has that word marked. Returns undefined if a record needs no words.
 */
export function highlightsQuery({ groups }: SearchQuery): SearchQuery | undefined {
  const terms: readonly SearchTerm[] = groups.flat().filter((term) => !term.isNegated)
  return terms.length === 0 ? undefined : { groups: [terms] }
}

// The characters that mark words, and that separate the parts of a long text. They are removed from the text itself, so
// that nothing in a record looks like a mark.
const START = "\u0002"
const STOP = "\u0003"
const SEPARATOR = "\u0004"
const MARKS = `${START}${STOP}${SEPARATOR}`

// Texts up to this length, such as titles, are returned as a whole.
const MAX_WHOLE_CHARACTERS = 200
const MAX_CHARACTERS = 100_000

const SELECTORS = `StartSel="${START}", StopSel="${STOP}", FragmentDelimiter="${SEPARATOR}"`
const WHOLE = `HighlightAll=true, ${SELECTORS}`
const SNIPPETS = `MaxFragments=3, MinWords=8, MaxWords=24, ${SELECTORS}`

/**
 * Returns the SQL of a JSON list with the marked text of each field; null for a field without text. The marks still have
 * to be turned into HTML by `highlightsOf`.
 */
export function highlightsSql(
  { fields, configuration, query }: HighlightedText,
  alias: string,
  parameters: Parameters,
): string {
  const words = `(select ${tsquerySql(query, configuration, parameters)})`
  const whole = parameters.add(WHOLE)
  const snippets = parameters.add(SNIPPETS)
  const marks = parameters.add(MARKS)
  const marked = fields.map((field) => {
    const text = fieldText(field, visibleSql(field, alias, parameters))
    const plain = `select translate(left(${text}, ${MAX_CHARACTERS}), ${marks}, '') as plain offset 0`
    const options = `case when length(plain) <= ${MAX_WHOLE_CHARACTERS} then ${whole} else ${snippets} end`
    return `(select ts_headline('${configuration}', plain, ${words}, ${options}) from (${plain}) _text)`
  })
  return `json_build_array(${marked.join(", ")})`
}

/** Returns the highlights by field, as HTML. Fields in which nothing is marked are left out. */
export function highlightsOf(fields: readonly ResourceField[], marked: readonly unknown[]): Record<string, string[]> {
  const highlights: Record<string, string[]> = {}
  for (const [index, { name }] of fields.entries()) {
    const text = marked[index]
    if (typeof text !== "string" || !text.includes(START)) continue
    const parts = text.split(SEPARATOR).filter((part) => part.includes(START))
    highlights[name] = parts.map((part) => toHtml(part.trim()))
  }
  return highlights
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  [START]: "<mark>",
  [STOP]: "</mark>",
}

function toHtml(text: string): string {
  return text.replace(ESCAPED, (character) => ENTITIES[character] ?? character)
}

const ESCAPED = new RegExp(`[&<>"'${START}${STOP}]`, "g")
