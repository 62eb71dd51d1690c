import type { ResourceField } from "../compile/resource.ts"
import type { SearchContent } from "./searchable.ts"

/** How the records of a resource are searched, compiled and frozen. */
export interface ResourceSearch {
  /** The fields that are searched, the title first. */
  readonly fields: readonly SearchedField[]
  readonly content: ResourceContent | undefined
  /** The field whose value is the title of a found record. */
  readonly title: ResourceField | undefined
  readonly facets: readonly ResourceField[]
  /** The factors of the labels A, B, C and D in a score, each from 0 to 1. */
  readonly labelWeights: readonly [a: number, b: number, c: number, d: number]
  /** The stored indexes: one for each locale if a searched field is localized or content is made, otherwise only one. */
  readonly indexes: readonly SearchIndexColumns[]
  /** The name of the search engine outside of the database that is told of every change of a record; undefined for none. */
  readonly adapter: string | undefined
}

export interface SearchedField {
  readonly field: ResourceField
  readonly label: WeightLabel
  /**
   * True if the field's text is part of the text that is embedded. The vector of a text serves all callers, so that a
   * field with a read rule of its own is left out.
   */
  readonly isEmbedded: boolean
}

/** The four labels that Postgres can attach to the words of a text. */
export type WeightLabel = "A" | "B" | "C" | "D"

export interface ResourceContent {
  readonly compute: SearchContent
  readonly with: object | undefined
  readonly label: WeightLabel
  /** The column in which the text is stored: a JSON object with the text in each locale. */
  readonly column: string
}

/** The columns of a table that index the text of its rows in one locale. */
export interface SearchIndexColumns {
  /** The locale in which the text is read; undefined if the only index serves all locales. */
  readonly locale: string | undefined
  /** The searched fields as a read in the index's locale returns them, with the values of fallback locales. */
  readonly fields: readonly SearchedField[]
  /** The column with the text as `tsvector`. */
  readonly vector: string
  /**
   * The column with a key (`uuid`) that is equal for equal texts, by which the text's embedding is found. Undefined if
   * the app has no embedder.
   */
  readonly key: string | undefined
  /** The name of the text search configuration, such as `_kit_english`. */
  readonly configuration: string
}
