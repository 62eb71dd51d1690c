import type { Connection, DatabaseError, RowValues } from "../../ports/database.ts"
import type { Step } from "../../sql/tables/step.ts"

/** The effect that a schema change step would have on the rows of a database. */
export interface StepInspection {
  /** The number of rows that would lose data; undefined if that number cannot be determined. */
  readonly lostRows: bigint | undefined
  /** True if the step would fail because of some of the rows. */
  readonly wouldFail: boolean
}

/**
 * Finds out how a step would affect the stored rows, and changes nothing. If the database lacks the step's table or
 * column, no row is affected.
 */
export async function inspectStep(connection: Connection, { loss, precondition }: Step): Promise<StepInspection> {
  const [counted] = (loss && (await queryIfPresent(connection, loss.count))) ?? []
  const offending = precondition?.counterExample && (await queryIfPresent(connection, precondition.counterExample))
  return {
    lostRows: counted === undefined ? undefined : BigInt(String(counted[0])),
    wouldFail: offending !== undefined && offending.length > 0,
  }
}

const MISSING_TABLE = "42P01"
const MISSING_COLUMN = "42703"
// The error code for an operator that does not exist for the column's type, because the column still has another type.
const MISSING_OPERATOR = "42883"

/**
 * Runs a query and returns its rows. Returns undefined if the table, a column or an operator in the query does not
 * exist.
 */
export async function queryIfPresent(connection: Connection, text: string): Promise<readonly RowValues[] | undefined> {
  try {
    return (await connection.query({ text, values: [] })).rows
  } catch (error) {
    // The cast is safe: `code` is optional. Errors that do not come from the driver have no code and are rethrown.
    const { code } = error as Partial<DatabaseError>
    if (code === MISSING_TABLE || code === MISSING_COLUMN || code === MISSING_OPERATOR) return undefined
    throw error
  }
}
