import type { Connection } from "../ports/database.ts"
import type { Resource } from "../schema/resource.ts"

/** A move of a record that happens later, as whoever asked for it. */
export interface ScheduledMove {
  readonly kind: Resource["kind"]
  readonly name: string
  readonly id: string
  readonly stage: string
  /** Null for system code. */
  readonly userId: string | null
  /** Tells it from the moves that took its place. */
  readonly token: string
}

/** Has it done at its time, if the transaction of the connection is committed. */
export type ScheduleMove = (connection: Connection, move: ScheduledMove, at: Date) => Promise<unknown>
