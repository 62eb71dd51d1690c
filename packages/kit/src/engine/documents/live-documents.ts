import type { Session } from "../../ports/session-provider.ts"
import type { RichTextVocabulary } from "../../wire/results/rich-text.ts"
import type { DocumentAddress } from "./document-address.ts"

/** A stored document. */
export interface StoredDocument {
  readonly id: string
  /** The number of the document's newest update. */
  readonly seq: number
  /** The reason why the record refuses the document's newest value. */
  readonly problem: string | null
}

/** The part of a document that a replica lacks. */
export interface DocumentSync extends StoredDocument {
  readonly update: Uint8Array
  readonly stateVector: Uint8Array
}

/** The updates of a document after a position. */
export interface UpdatesPage extends StoredDocument {
  readonly updates: readonly Uint8Array[]
}

/** An update that a client has sent. */
export interface SentUpdate {
  readonly update: Uint8Array
  /** The session of the editor, in whose name the record's value is written. */
  readonly session: Session | null
  /** The names that the sender's editor knows; undefined if it does not say. */
  readonly declared?: RichTextVocabulary | undefined
}

/** The outcome of an append. */
export interface AppendedUpdate {
  /** The number of the update, or of the newest one if the document had everything that it has. */
  readonly seq: number
  /** The stored part of the update, which the document did not have. Undefined if it had everything. */
  readonly stored: Uint8Array | undefined
}

/** The stored documents, as realtime uses them. Rights have been checked before any of these calls. */
export interface LiveDocuments {
  /** Returns the document of a record's field. Makes it from the record's value if it does not exist yet. */
  open(address: DocumentAddress): Promise<StoredDocument>
  /** Returns what a replica with this state vector lacks; undefined if the document was deleted. */
  sync(documentId: string, stateVector: Uint8Array | undefined): Promise<DocumentSync | undefined>
  /**
   * Returns the updates with higher numbers than `seq`. Returns undefined if the document was deleted, or if some of
   * these updates are no longer stored one by one; `sync` then returns them.
   */
  updatesSince(documentId: string, seq: number): Promise<UpdatesPage | undefined>
  /**
   * Stores what the document does not have of an update. Resolves after the commit. Rejects if the update is invalid,
   * does not fit to the document, or is too large for it.
   */
  append(address: DocumentAddress, documentId: string, sent: SentUpdate): Promise<AppendedUpdate>
  /** Called when the record of an open document may have been changed by something other than its document. */
  onRecordChanged(address: DocumentAddress): void
}
