/**
 * A search engine outside of the app's database, which finds records by their words. It knows nothing about rights: kit
 * asks it for all matches, and keeps those that the caller may read.
 */
export interface SearchAdapter {
  readonly name: string
  /** Adds documents, or replaces those with the same collection, locale, stage and id. Is called again after a failure. */
  index(documents: readonly SearchDocument[]): Promise<void>
  /** Removes documents. Documents that do not exist are ignored. */
  remove(documents: readonly SearchDocumentKey[]): Promise<void>
  /** Removes all documents of a collection. */
  clear(collection: string): Promise<void>
  /** Returns all documents that match, the best first, or the best `limit` of them. */
  search(query: AdapterQuery): Promise<readonly AdapterHit[]>
  close?(): Promise<void>
}

export interface SearchDocumentKey {
  readonly collection: string
  readonly id: string
  readonly locale: string
  /** The stage whose copy of the record this is; undefined for the working copy. */
  readonly stage: string | undefined
}

export interface SearchDocument extends SearchDocumentKey {
  /** The searched texts by field, and the author's text as `content`. */
  readonly texts: Readonly<Record<string, string>>
}

export interface AdapterQuery {
  readonly text: string
  readonly collection: string
  readonly locale: string
  readonly stage: string | undefined
  /** The fields to search. Only fields that the caller may read are named. */
  readonly fields: readonly string[]
  readonly limit: number
}

export interface AdapterHit {
  readonly id: string
  /** A higher score means a better match. */
  readonly score: number
}
