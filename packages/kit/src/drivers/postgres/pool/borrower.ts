/** On whose behalf a connection is lent. */
export interface Borrower {
  /** Borrowers with the same key are one caller; undefined for the app itself. */
  readonly key: string | undefined
  /** Whether its statements have the limits of callers. */
  readonly isLimited: boolean
  /** Whether nobody waits for what it reads any more. */
  readonly hasLeft: boolean
  /** Told before the first statement that may write: from then on it does not leave. */
  noteWrite(): void
}

/** The app itself: jobs, migrations, seeds, whatever no caller has asked for. */
export const SYSTEM: Borrower = Object.freeze({ key: undefined, isLimited: false, hasLeft: false, noteWrite: () => {} })

/**
 * What a connection is lent for: one statement of ours that reads and may be cancelled, one of the author's that seems to
 * read, or anything that may write.
 */
export type Purpose = "read" | "authored read" | "write"

export interface Loan {
  readonly borrower: Borrower
  readonly purpose: Purpose
  /** The text of the one statement that it is for; undefined for a transaction. */
  readonly text: string | undefined
  /** Whether it is for a read that was cancelled because it was slow and others waited. */
  readonly isSlow: boolean
}
