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
