import type { ResourceField } from "../../schema/compile/resource.ts"
import { visibleSql } from "../filter/where.ts"
import type { Parameters } from "../text/fragment.ts"
import { PLAIN_CONFIGURATION } from "./configurations.ts"
import type { SearchQuery, SearchTerm } from "./query/search-query.ts"
import { spelledSql, stemsSql } from "./query/tsquery.ts"
import { fieldText } from "./search-text.ts"
import { CONNECTORS } from "./search-vector.ts"

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
// Stand for the characters that separate words in the index (`CONNECTORS`), but that PostgreSQL would read as a part of a
// word. They are turned back afterwards.
const STAND_INS = "\u0005\u0006\u0007\u0008"

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
  const stems = `(select ${stemsSql(query, configuration, parameters)})`
  const spelling = spelledSql(query, parameters)
  const spelled = spelling && `(select ${spelling})`
  const whole = parameters.add(WHOLE)
  const snippets = parameters.add(SNIPPETS)
  // The characters beyond the length of the second list are removed.
  const from = parameters.add(CONNECTORS + MARKS + STAND_INS)
  const to = parameters.add(STAND_INS)
  const start = spelled && parameters.add(START)
  const marked = fields.map((field) => {
    const text = fieldText(field, visibleSql(field, alias, parameters))
    const plain = `select translate(left(${text}, ${MAX_CHARACTERS}), ${from}, ${to}) as plain offset 0`
    const options = `case when length(plain) <= ${MAX_WHOLE_CHARACTERS} then ${whole} else ${snippets} end`
    const once = `select plain, ts_headline('${configuration}', plain, ${stems}, ${options}) as marked from (${plain}) _text`
    if (spelled === undefined) return `(select marked from (${once}) _once)`
    // The words that are compared as they are spelled have to be marked in a second pass: in the parts of the text that
    // the first pass has chosen, or in the whole text if the first pass has marked nothing.
    const isChosen = `length(plain) <= ${MAX_WHOLE_CHARACTERS} or position(${start} in marked) > 0`
    const again = (text: string, how: string) => `ts_headline('${PLAIN_CONFIGURATION}', ${text}, ${spelled}, ${how})`
    const twice = `case when ${isChosen} then ${again("marked", whole)} else ${again("plain", snippets)} end`
    return `(select ${twice} from (${once} offset 0) _once)`
  })
  return `json_build_array(${marked.join(", ")})`
}

/** Returns the highlights by field, as HTML. Fields in which nothing is marked are left out. */
export function highlightsOf(fields: readonly ResourceField[], marked: readonly unknown[]): Record<string, string[]> {
  const highlights: Record<string, string[]> = {}
  for (const [index, { name }] of fields.entries()) {
    const text = marked[index]
    if (typeof text !== "string" || !text.includes(START)) continue
    const parts = onceMarked(text)
      .split(SEPARATOR)
      .filter((part) => part.includes(START))
    highlights[name] = parts.map((part) => toHtml(part.trim()))
  }
  return highlights
}

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
