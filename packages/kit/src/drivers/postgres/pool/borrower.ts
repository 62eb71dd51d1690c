/** The caller, or the app itself, that the pool lends a connection to. */
export interface Borrower {
  /** Identifies the caller: borrowers with the same key share its limits. Undefined for the app itself. */
  readonly key: string | undefined
  /** True if the limits for callers (statement timeout, lock timeout) apply to its statements. */
  readonly isLimited: boolean
  /** True once the client has disconnected: its reads may be cancelled, because no response will be sent. */
  readonly hasLeft: boolean
  /** Called before the first statement that may write. From then on `hasLeft` stays false. */
  onWrite(): void
}

/** The app itself: jobs, migrations, seeds, and all other work that no caller requested. */
export const SYSTEM: Borrower = Object.freeze({ key: undefined, isLimited: false, hasLeft: false, onWrite: () => {} })

/**
 * The use of a loan: a read of the framework, which may be cancelled and run again; SQL of the author that looks like a
 * read; or anything that may write.
 */
export type Purpose = "read" | "authored read" | "write"

export interface Loan {
  readonly borrower: Borrower
  readonly purpose: Purpose
  /** The SQL of the only statement of the loan; undefined for a transaction. */
  readonly text: string | undefined
  /** True for a read that runs again: it was cancelled because it was slow while other borrowers waited. */
  readonly isSlow: boolean
}
