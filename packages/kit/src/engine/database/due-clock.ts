import type { Connection } from "../../ports/database.ts"

/**
 * Returns the current time of the clock that decides what is due. Null stands for the clock of the database server,
 * which all processes share. Only tests have a clock of their own, which they move.
 */
export type DueClock = () => Date | null

/** Returns SQL for the time that decides what is due. The parameter, such as `$1`, has the value of the `DueClock`. */
export function dueTime(parameter: string): string {
  return `coalesce(${parameter}::timestamptz, statement_timestamp())`
}

/** Reads the time that decides what is due. */
export async function readDueTime(connection: Connection, clock: DueClock): Promise<Date> {
  const own = clock()
  if (own !== null) return own
  const { rows } = await connection.query({ text: "select statement_timestamp()", values: [] })
  // The cast is safe: the database driver parses timestamps to Date.
  return rows[0]?.[0] as Date
}
