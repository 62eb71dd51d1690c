import type { Parameters } from "../../text/fragment.ts"
import { PLAIN_CONFIGURATION } from "../configurations.ts"
import type { SearchQuery, SearchTerm, TermGroup } from "./search-query.ts"

/**
 * Returns the SQL of a query as `tsquery`. All words are in parameters, so that the text of a statement does not depend
 * on them. Words of the query that the language ignores, such as "the", are left out, unless there are no others.
 */
export function tsquerySql(query: SearchQuery, configuration: string, parameters: Parameters): string {
  const stems = (text: string) => `to_tsquery('${configuration}', ${parameters.add(text)})`
  const literal = (text: string) => `to_tsquery('${PLAIN_CONFIGURATION}', ${parameters.add(text)})`
  const rest = query.groups.filter((group) => literalText(group) === "")
  const mixed = query.groups.filter((group) => literalText(group) !== "")
  if (mixed.length === 0) {
    const text = parameters.add(allText(rest))
    const ignored = `to_tsquery('${PLAIN_CONFIGURATION}', ${text})`
    const words = `to_tsquery('${configuration}', ${text})`
    return `(select case when numnode(words) = 0 then ${ignored} else words end from (select ${words} as words) parts)`
  }
  const wholes = mixed.map((group) => ({
    known: stems(anyText(group)),
    // A word that is compared as it is spelled may be longer than a stem. The vectors contain such words, too.
    spelled: literal(literalText(group)),
    isUnfinished: group.some((term) => term.isUnfinished),
  }))
  const first = rest.length === 0 ? [] : [stems(allText(rest))]
  return joined(first, wholes)
}

interface WholeGroup {
  readonly known: string
  readonly spelled: string
  readonly isUnfinished: boolean
}

// Returns the SQL of all groups joined. A last word that the language ignores is ignored here too, although a longer word
// may begin with it, unless it is all there is.
function joined(first: readonly string[], groups: readonly WholeGroup[]): string {
  const last = groups.find((group) => group.isUnfinished)
  const others = groups.filter((group) => group !== last).map(({ known, spelled }) => `(${known} || ${spelled})`)
  const rest = [...first, ...others].join(" && ")
  if (last === undefined) return rest
  if (rest === "") return `${last.known} || ${last.spelled}`
  const words = "case when numnode(known) = 0 and numnode(rest) > 0 then rest else rest && (known || spelled) end"
  const parts = `select ${rest} as rest, ${last.known} as known, ${last.spelled} as spelled`
  return `(select ${words} from (${parts}) parts)`
}

/** A query that only tests whether words are present. */
export interface Prefilter {
  readonly query: SearchQuery
  /**
   * True if the words may all be ones that the language ignores, although the whole query is not about such words. They
   * then exclude no record.
   */
  readonly isOptional: boolean
}

/**
 * Returns a query that matches every record that the given query matches, even if the record is compared with more text
 * than the given query may see. Returns undefined if such a query would match every record.
 */
export function prefilterOf({ groups }: SearchQuery): Prefilter | undefined {
  // A group with a negated alternative says nothing about the words that a record has.
  const positive = groups.filter((group) => !group.some((term) => term.isNegated))
  const isOptional = positive.length < groups.length
  // Beside a negated group, an unfinished word that the language ignores has no effect, and only the database knows it.
  const kept = isOptional ? positive.filter((group) => literalText(group) === "") : positive
  if (kept.length === 0) return undefined
  return { query: { groups: kept.map((group) => group.map((term) => ({ ...term, isPhrase: false }))) }, isOptional }
}

/**
 * Returns the SQL of the query as a `tsquery` of stems alone. It is empty if the language ignores all of the words. The
 * beginnings of unfinished words and other spellings are not part of it.
 */
export function stemsSql({ groups }: SearchQuery, configuration: string, parameters: Parameters): string {
  return `to_tsquery('${configuration}', ${parameters.add(allText(groups))})`
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

// Returns the words of the group that are compared as they are spelled: the beginnings of unfinished words, and other
// spellings.
function literalText(group: TermGroup): string {
  return group
    .flatMap(({ words, isUnfinished, spellings = [], beginnings = [] }) => {
      const begun = isUnfinished ? [words.join(" "), ...beginnings] : beginnings
      return [...begun.map(beginningText), ...spellings.map(spellingText)]
    })
    .join(" | ")
}

/** Returns the text of a `tsquery` for a word as it is spelled. */
export function spellingText(word: string): string {
  return quoted(word)
}

/** Returns the text of a `tsquery` for the words that begin with this text. */
export function beginningText(text: string): string {
  return `${quoted(text)}:*`
}

// Inside of quotes, only the quote itself and the backslash have a meaning. PostgreSQL splits the quoted text into words
// as it does with the text of records, and makes them a phrase.
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
}
