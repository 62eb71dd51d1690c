import type { Connection } from "../../ports/database.ts"

/** A move of a record that happens later, as whoever asked for it. */
export interface ScheduledMove {
  /** The table of the record, which follows it when it is renamed. */
  readonly table: string
  readonly id: string
  readonly stage: string
  /** Null for system code. */
  readonly userId: string | null
  /** Tells it from the moves that took its place. */
  readonly token: string
}

/** Has it done at its time, if the transaction of the connection is committed. */
export type ScheduleMove = (connection: Connection, move: ScheduledMove, at: Date) => Promise<unknown>
