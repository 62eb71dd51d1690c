import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import type {
  ResourceContent,
  ResourceField,
  ResourceSearch,
  SearchedField,
  SearchIndexColumns,
} from "../../schema/compile/resource.ts"
import { isMasked } from "../filter/masked-field.ts"

/** The text of a row in which the caller may search. */
export interface SearchedText {
  /**
   * The searched fields as the caller sees them. A masked field (`isMasked`) counts as null in rows that hide it. Fields
   * that are never sent (`field.hidden`) are searched but have no highlights.
   */
  readonly fields: readonly SearchedField[]
  readonly content: ResourceContent | undefined
  /** The stored index of the locale. It contains at least the words of the text, and words that the caller may not see. */
  readonly index: SearchIndexColumns
  /**
   * True if the stored index is made from exactly this text, so that nothing but the index is needed. False if a field
   * is hidden from the caller, if fallback locales are turned off, or if the context allows no shortcuts.
   */
  readonly isIndexed: boolean
}

/** The rights that decide which text of a resource the caller may search. */
interface TextRights {
  /** The fields that the caller may read, perhaps masked. */
  readonly visible: ReadonlyMap<string, ResourceField>
  readonly locale: string
  readonly defaultLocale: string
  readonly hasShortcuts: boolean
}

/** Returns the text in which the caller may search. A read of all locales searches in the default one. */
export function searchedText(search: ResourceSearch, rights: TextRights): SearchedText {
  const locale = rights.locale === ALL_LOCALES ? rights.defaultLocale : rights.locale
  const index = search.indexes.find((each) => each.locale === undefined || each.locale === locale)
  if (index === undefined) throw new Error(`There is no search index for the locale "${locale}".`)
  const fields = search.fields.flatMap((searched) => {
    const field = searchableField(searched.field, rights.visible)
    return field ? [{ ...searched, field }] : []
  })
  const isIndexed = rights.hasShortcuts && fields.length === search.fields.length && fields.every(isAsIndexed(index))
  return { fields, content: search.content, index, isIndexed }
}

// A field that is never sent is searched for everyone who may read the record, unless it has a rule of its own.
function searchableField(field: ResourceField, visible: TextRights["visible"]): ResourceField | undefined {
  const isOpen = field.hidden && (field.access.read ?? true) === true
  return visible.get(field.name) ?? (isOpen ? field : undefined)
}

function isAsIndexed({ fields }: SearchIndexColumns): (searched: SearchedField) => boolean {
  const chains = new Map(fields.map(({ field }) => [field.name, field.localized?.chain.join()]))
  return ({ field }) => !isMasked(field) && field.localized?.chain.join() === chains.get(field.name)
}
