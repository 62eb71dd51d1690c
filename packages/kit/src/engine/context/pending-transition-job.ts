import type { Connection } from "../../ports/database.ts"

/** A pending transition of a record. It runs with the rights of the user who requested it. */
export interface PendingTransitionJob {
  /** The table of the record. It stays correct when the table is renamed. */
  readonly table: string
  readonly id: string
  readonly stage: string
  /** Null for system code. */
  readonly userId: string | null
  /** Distinguishes the transition from a later one that has replaced it. */
  readonly token: string
}

/** Schedules a transition to run at its time, if the transaction of the connection commits. */
export type ScheduleTransition = (connection: Connection, move: PendingTransitionJob, at: Date) => Promise<unknown>
