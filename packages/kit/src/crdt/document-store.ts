/** An update of a document, as it is kept for offline use. */
export interface StoredUpdate {
  /** An update in the binary format of Yjs. */
  readonly update: Uint8Array
  /** False if the update was made here and the server has not acknowledged it yet. */
  readonly isAcknowledged: boolean
  /** The document to which the update belongs. A document that was deleted and made again has another epoch. */
  readonly epoch: string | undefined
  /** The user who was signed in; null for nobody, undefined if that is not known yet. */
  readonly userId: string | null | undefined
}

/** A stored update without its bytes. */
export interface StoredUpdateFacts extends Omit<StoredUpdate, "update"> {
  /** The number by which the store knows the update. Later updates have higher numbers. */
  readonly id: number
  readonly key: string
}

/**
 * Keeps documents for offline use. A document is the list of the updates with its key. Several tabs may use one store
 * at the same time, so no method deletes an update that its caller does not name, except for `clear`.
 */
export interface DocumentStore {
  /** Returns the updates of a document, in the order of their ids. */
  load(key: string): Promise<readonly (StoredUpdateFacts & StoredUpdate)[]>
  /** Adds an update and returns its id. */
  append(key: string, update: StoredUpdate): Promise<number>
  /** Deletes the updates with these ids and adds the update, if there is one, in one step. Returns the new id. */
  replace(key: string, ids: readonly number[], update?: StoredUpdate): Promise<number | undefined>
  /** Returns what is stored of all documents. */
  list(): Promise<readonly StoredUpdateFacts[]>
  /** Deletes everything. */
  clear(): Promise<void>
}
