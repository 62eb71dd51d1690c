/** A caller, or the app itself, that checks out a connection from the pool. */
export interface Borrower {
  /** Identifies the caller. Borrowers with the same key share the caller's limits. Undefined for the app itself. */
  readonly key: string | undefined
  /** True if the limits for callers (statement timeout, lock timeout) apply to this borrower's statements. */
  readonly isLimited: boolean
  /**
   * True once the client has disconnected. The borrower's reads may then be cancelled, because no response will be
   * sent.
   */
  readonly hasLeft: boolean
  /** Called before the borrower's first statement that may write. From then on `hasLeft` stays false. */
  onWrite(): void
}

/** The borrower for the app itself: jobs, migrations, seeds, and all other work that no caller requested. */
export const SYSTEM: Borrower = Object.freeze({ key: undefined, isLimited: false, hasLeft: false, onWrite: () => {} })

/**
 * The purpose for which a connection is checked out. A "read" by the framework may be cancelled and run again. An
 * "authored read" is the author's SQL that looks like a read. A "write" is anything that may write.
 */
export type Purpose = "read" | "authored read" | "write"

export interface Loan {
  readonly borrower: Borrower
  readonly purpose: Purpose
  /** The SQL of the only statement to run on the connection, or undefined for a transaction. */
  readonly text: string | undefined
  /** True if the statement is a slow read that was cancelled while other borrowers waited, and now runs again. */
  readonly isSlow: boolean
  /** The time limit of the only statement, for a caller; undefined if it has none of its own. */
  readonly callerMs: number | undefined
}
