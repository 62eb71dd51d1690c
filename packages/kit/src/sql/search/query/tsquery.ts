import type { Parameters } from "../../text/fragment.ts"
import type { SearchQuery, SearchTerm, TermGroup } from "./search-query.ts"

/** The configuration that keeps words as they are, without reducing them to their stems. */
export const SIMPLE_CONFIGURATION = "_kit_simple"

/**
 * Returns the SQL of a query as `tsquery`. All words are in parameters, so that the text of a statement does not depend
 * on them. Words of the query that the language ignores, such as "the", are left out. If only such words remain, the
 * `tsquery` is empty and matches nothing.
 */
export function tsquerySql(query: SearchQuery, configuration: string, parameters: Parameters): string {
  const make = (text: string, name = configuration) => `to_tsquery('${name}', ${parameters.add(text)})`
  const last = query.groups.at(-1) ?? []
  const unfinished = last.filter((term) => term.isUnfinished)
  if (unfinished.length === 0) return make(allText(query.groups))
  const rest = query.groups.slice(0, -1)
  const known = make(anyText(last))
  // The beginning of a word is compared as it was typed: its stem may be shorter, and would be found in other words.
  const begun = make(unfinished.map(prefixText).join(" | "), SIMPLE_CONFIGURATION)
  if (rest.length === 0) return `${known} || ${begun}`
  const whole = "rest && (known || begun)"
  // A last word that the language ignores is ignored here too, unless it is all there is.
  const words = `case when numnode(known) = 0 and numnode(rest) > 0 then rest else ${whole} end`
  return `(select ${words} from (select ${make(allText(rest))} as rest, ${known} as known, ${begun} as begun) parts)`
}

/** A query that only tests whether words are present. */
export interface Prefilter {
  readonly query: SearchQuery
  /**
   * True if the `tsquery` may be empty although records match: because the only words are ones that the language
   * ignores. An empty `tsquery` then excludes no record.
   */
  readonly canBeEmpty: boolean
}

/**
 * Returns a query that matches every record that the given query matches, even if the record is compared with more text
 * than the given query may see. Returns undefined if such a query would match every record.
 */
export function prefilterOf({ groups }: SearchQuery): Prefilter | undefined {
  // A group with a negated alternative says nothing about the words that a record has.
  const positive = groups.filter((group) => !group.some((term) => term.isNegated))
  const canBeEmpty = positive.length < groups.length
  // Beside a negated group, an unfinished word that the language ignores has no effect, and only the database knows it.
  const kept = canBeEmpty ? positive.filter((group) => !group.some((term) => term.isUnfinished)) : positive
  if (kept.length === 0) return undefined
  return { query: { groups: kept.map((group) => group.map((term) => ({ ...term, isPhrase: false }))) }, canBeEmpty }
}

function allText(groups: readonly TermGroup[]): string {
  return groups.map(anyText).join(" & ")
}

function anyText(group: TermGroup): string {
  const texts = group.map(termText)
  return texts.length === 1 ? texts.join() : `(${texts.join(" | ")})`
}

function termText({ words, isPhrase, isNegated }: SearchTerm): string {
  const text = isPhrase || words.length === 1 ? quoted(words.join(" ")) : `(${words.map(quoted).join(" & ")})`
  return isNegated ? `!${text}` : text
}

function prefixText({ words }: SearchTerm): string {
  return `${quoted(words.join(" "))}:*`
}

// Inside of quotes, only the quote itself and the backslash have a meaning. PostgreSQL splits the quoted text into words
// as it does with the text of records, and makes them a phrase.
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
}
