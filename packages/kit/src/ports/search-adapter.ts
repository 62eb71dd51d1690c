/**
 * A search engine outside of the app's database, which finds records by their words. It knows nothing about rights: kit
 * asks it for all matches, and keeps those that the caller may read. `searchAdapterContract` of `kit/testing` tests an
 * adapter.
 *
 * Every method gets a signal that is aborted when nobody waits for it any more. A method that rejects is called again
 * later, except for `search`, which fails for the caller.
 */
export interface SearchAdapter {
  /** The name of the engine. Under a new name, it gets all documents again. */
  readonly name: string
  /**
   * Adds documents, or replaces those with the same collection, locale, stage and id. They can be found when the promise
   * resolves.
   */
  index(documents: readonly SearchDocument[], signal: AbortSignal): Promise<void>
  /** Removes documents. Documents that do not exist are ignored. */
  remove(documents: readonly SearchDocumentKey[], signal: AbortSignal): Promise<void>
  /** Removes all documents of a collection, in all locales and stages. */
  clear(collection: string, signal: AbortSignal): Promise<void>
  /** Returns all documents that match, the best first, or the best `limit` of them. No text is an invalid query. */
  search(query: AdapterQuery, signal: AbortSignal): Promise<readonly AdapterHit[]>
  /** Releases what the adapter holds, such as connections. */
  close?(): Promise<void>
}

export interface SearchDocumentKey {
  readonly collection: string
  readonly id: string
  /** The locale of the texts; the default locale if the records have the same text in all locales. */
  readonly locale: string
  /** The stage whose copy of the record this is; undefined for the working copy. */
  readonly stage: string | undefined
}

export interface SearchDocument extends SearchDocumentKey {
  /** The searched texts by field, and the text of the author's function `content` as `_content`. */
  readonly texts: Readonly<Record<string, string>>
}

export interface AdapterQuery {
  /** The text that the caller typed: neither empty nor longer than 500 characters. */
  readonly text: string
  readonly collection: string
  readonly locale: string
  readonly stage: string | undefined
  /** The names of the texts to search. Others must not be searched, because the caller may not read them. */
  readonly fields: readonly string[]
  readonly limit: number
}

export interface AdapterHit {
  readonly id: string
  /** A higher score means a better match. */
  readonly score: number
}
