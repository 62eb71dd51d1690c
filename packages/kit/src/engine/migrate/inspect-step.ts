import type { Connection, DatabaseError, RowValues } from "../../ports/database.ts"
import type { Step } from "../../sql/tables/step.ts"

/** The effect that a step would have on the rows of a database. */
export interface StepInspection {
  /** The number of rows that would lose data; undefined if it cannot be determined. */
  readonly lostRows: bigint | undefined
  /** Some rows would make the step fail. */
  readonly wouldFail: boolean
}

/** Inspects the stored rows and changes nothing. Finds nothing if the database lacks the step's table or column. */
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
// The query's operators may not exist for a column of another type.
const MISSING_OPERATOR = "42883"

/** Runs a query and returns its rows; undefined if its table, column or operator does not exist. */
export async function queryIfPresent(connection: Connection, text: string): Promise<readonly RowValues[] | undefined> {
  try {
    return (await connection.query({ text, values: [] })).rows
  } catch (error) {
    // Errors of a driver have a code; other errors have none and are rethrown.
    const { code } = error as Partial<DatabaseError>
    if (code === MISSING_TABLE || code === MISSING_COLUMN || code === MISSING_OPERATOR) return undefined
    throw error
  }
}
