import type { Connection } from "../../ports/database.ts"

/** The payload of the job that runs a pending transition, with the rights of the caller who requested the transition. */
export interface PendingTransitionJob {
  /** The table of the record. A migration that renames the table also updates this name. */
  readonly table: string
  readonly id: string
  readonly stage: string
  /** The id of the user who requested the transition; null for system code, undefined for an anonymous caller. */
  readonly userId: string | null | undefined
  /** Distinguishes this transition from a later transition that has replaced it. */
  readonly token: string
}

/** Schedules a transition to run at the time `at`, if the transaction on `connection` commits. */
export type ScheduleTransition = (connection: Connection, move: PendingTransitionJob, at: Date) => Promise<unknown>
