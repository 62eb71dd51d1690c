import type { ResourceDefinition } from "../builders/definition.ts"
import { type Locales, type Localized, localizedBy } from "../compile/locales.ts"
import type {
  ResourceContent,
  ResourceField,
  ResourceSearch,
  SearchedField,
  SearchIndexColumns,
} from "../compile/resource.ts"
import { type Languages, languageOf } from "./languages.ts"
import type { SearchableDefinition } from "./searchable.ts"
import { CONTENT_WEIGHT, labelsOf, type SearchedNames } from "./weights.ts"

/** The settings of an app on which the search columns depend. */
export interface SearchScope {
  readonly languages?: Languages | undefined
  /** True if texts are embedded, so that records can be searched by meaning. */
  readonly hasEmbedder?: boolean
}

/** A resource with the fields that one view of the schema has. */
export interface SearchedResource {
  readonly definition: ResourceDefinition
  readonly fields: ReadonlyMap<string, ResourceField>
  /** The name of the field that represents a record, unless `.searchable()` names another. */
  readonly title: string | undefined
}

const VECTOR_COLUMN = "_search"
const KEY_COLUMN = "_search_key"
const CONTENT_COLUMN = "_search_content"

/** Compiles `.searchable()`, which `checkSearchable` has checked; undefined if the author has not declared it. */
export function compileSearch(
  { definition, fields, title: ofResource }: SearchedResource,
  { locales, search }: { readonly locales: Locales; readonly search: SearchScope },
): ResourceSearch | undefined {
  const { searchable } = definition
  if (searchable === undefined) return undefined
  const names = searchedNames(searchable, ofResource)
  const { labelOf, factors } = labelsOf(names, searchable.weights)
  const searched = fieldsNamed(fields, names.fields).map((field) =>
    Object.freeze({ field, label: labelOf(field.name), isEmbedded: (field.access.read ?? true) === true }),
  )
  const content = contentOf(searchable, labelOf(CONTENT_WEIGHT))
  return Object.freeze({
    fields: Object.freeze(searched),
    content,
    title: names.title === undefined ? undefined : fields.get(names.title),
    facets: Object.freeze(fieldsNamed(fields, searchable.facets ?? [])),
    labelWeights: factors,
    indexes: Object.freeze(indexesOf({ fields: searched, content }, locales, search)),
  })
}

/** Returns the names of the fields that `.searchable()` declares, together with the title. */
export function searchedNames(
  { fields = [], title, content }: SearchableDefinition,
  titleOfResource: string | undefined,
): SearchedNames {
  const first = title ?? titleOfResource
  const all = new Set([...(first === undefined ? [] : [first]), ...fields])
  return { title: first, fields: [...all], hasContent: content !== undefined }
}

function fieldsNamed(fields: ReadonlyMap<string, ResourceField>, names: readonly string[]): ResourceField[] {
  return names.flatMap((name) => fields.get(name) ?? [])
}

function contentOf(
  { content, with: related }: SearchableDefinition,
  label: ResourceContent["label"],
): ResourceContent | undefined {
  if (content === undefined) return undefined
  return Object.freeze({ compute: content, with: related, label, column: CONTENT_COLUMN })
}

function indexesOf(
  { fields, content }: Pick<ResourceSearch, "fields" | "content">,
  locales: Locales,
  { languages, hasEmbedder = false }: SearchScope,
): SearchIndexColumns[] {
  const isByLocale = content !== undefined || fields.some(({ field }) => field.localized)
  const indexOf = (locale: string, ending: string): SearchIndexColumns => ({
    locale: isByLocale ? locale : undefined,
    fields: Object.freeze(fields.map((searched) => inLocale(searched, localizedIn(locales, locale)))),
    vector: VECTOR_COLUMN + ending,
    key: hasEmbedder ? KEY_COLUMN + ending : undefined,
    configuration: configurationOf(languageOf(locale, languages)),
  })
  const indexes = isByLocale
    ? locales.all.map((locale) => indexOf(locale, `_${locale}`))
    : [indexOf(locales.default, "")]
  return indexes.map((index) => Object.freeze(index))
}

function localizedIn(locales: Locales, locale: string): Localized {
  return localizedBy(locales, { locale, hasFallback: true })
}

function inLocale(searched: SearchedField, localized: Localized): SearchedField {
  const { field } = searched
  return field.localized ? Object.freeze({ ...searched, field: Object.freeze({ ...field, localized }) }) : searched
}

/** Returns the name of our text search configuration for a language. */
export function configurationOf(language: string): string {
  return `_kit_${language}`
}
