import type { Awareness } from "y-protocols/awareness"
import type * as Y from "yjs"

/**
 * The state of a collaborative document:
 *
 * - `connecting`: the server has not answered yet.
 * - `synced`: the replica has everything that the server has, and gets every later edit.
 * - `offline`: there is no connection. Edits are kept, and sent when the connection is back.
 * - `denied`: the server has refused the document, or the edits that were made here. They are kept and can be read, but
 *   they are not sent. `error` says why.
 */
export type DocumentStatus = "connecting" | "synced" | "offline" | "denied"

/** A collaborative document: a replica of one field of one record that stays equal to all other replicas. */
export interface CollaborativeDocument {
  /** The replica. Its root has the name of the field. Pass it to the Yjs binding of an editor. */
  readonly doc: Y.Doc
  /** The names and cursors of the users who have the document open. */
  readonly awareness: Awareness
  readonly status: DocumentStatus
  /** The number of edits made here that the server has not acknowledged yet. */
  readonly pending: number
  /** False until the server has said that the user may edit the document, and while the editor cannot hold it. */
  readonly canEdit: boolean
  /**
   * The reason why the record does not accept the document's newest value, or what the editor does not know in the
   * document, which is then read-only; null if there is no problem.
   */
  readonly problem: string | null
  /** The reason for the status `offline` or `denied`, or a failure of the offline store or of an observer of `doc`. */
  readonly error: Error | null
  /** Connects again after `disconnect`, or tries again if the status is `denied`. */
  connect(): void
  /** Sends the edits that wait, and ends the connection. The replica stays and can still be edited. */
  disconnect(): void
  /** Disconnects, and destroys `doc` and `awareness`. The offline copy stays. */
  destroy(): void
  /**
   * Destroys the document, and deletes its offline copy together with the edits that were not sent. The next call of
   * `document` starts with what the server has.
   */
  discard(): Promise<void>
  /**
   * Calls the listener whenever the status, the number of pending edits or another member has changed. Returns a
   * function that ends the subscription.
   */
  subscribe(listener: () => void): () => void
  /**
   * Resolves when the status is `synced`. Rejects if the document is denied or destroyed; waits as long as it is
   * offline.
   */
  whenSynced(): Promise<void>
}
