import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { escapePattern } from "../../../wire/matching/like-pattern.ts"
import { fieldSql } from "../../text/field-sql.ts"
import { column, type Parameters } from "../../text/fragment.ts"
import { tsquerySql } from "../query/tsquery.ts"
import type { TitleWords } from "./title-words.ts"

// An index has too many rows for a shorter beginning of a word.
const MIN_LETTERS = 3

/**
 * Writes a condition on an index that the rows with a matching title satisfy, and few others. It may look at values that
 * are hidden from the caller, so that it decides nothing by itself.
 */
export type WriteTitlePrefilter = (alias: string, parameters: Parameters) => string

/**
 * Returns the condition by which an index finds the rows with a matching title. Undefined if there is no such index, or
 * if all words are too short for it.
 */
export function titlePrefilter(
  resource: Resource,
  field: ResourceField,
  { typed }: TitleWords,
): WriteTitlePrefilter | undefined {
  const words = typed.filter((word) => [...word].length >= MIN_LETTERS)
  if (words.length === 0) return undefined
  if (hasTrigrams(resource, field)) return (alias, parameters) => containsAll({ field, alias, words }, parameters)
  return searchPrefilter(resource, field, words)
}

function hasTrigrams({ indexes }: Resource, field: ResourceField): boolean {
  return indexes.some(({ fields: [first], isOfTrigrams }) => isOfTrigrams && first && isSameValue(first, field))
}

function containsAll(
  { field, alias, words }: { readonly field: ResourceField; readonly alias: string; readonly words: readonly string[] },
  parameters: Parameters,
): string {
  const title = fieldSql(alias, field)
  return words.map((word) => `${title} ilike ${parameters.add(`%${escapePattern(word)}%`)}`).join(" and ")
}

function searchPrefilter(
  { search }: Resource,
  field: ResourceField,
  words: readonly string[],
): WriteTitlePrefilter | undefined {
  const index = search?.indexes.find(({ fields }) => fields.some((searched) => isSameValue(searched.field, field)))
  if (index === undefined) return undefined
  const groups = words.map((word) => [
    // The database reads "XJ-900" as the word "XJ" and the number "-900".
    {
      words: [word],
      isPhrase: false,
      isNegated: false,
      isUnfinished: true,
      beginnings: isNumber(word) ? [`-${word}`] : [],
    },
  ])
  return (alias, parameters) =>
    `${column(alias, index.vector)} @@ (select ${tsquerySql({ groups }, index.configuration, parameters)})`
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word)
}

// The index of a localized field has the values that a read in one locale returns.
function isSameValue(indexed: ResourceField, field: ResourceField): boolean {
  return indexed.name === field.name && indexed.localized?.chain.join() === field.localized?.chain.join()
}
