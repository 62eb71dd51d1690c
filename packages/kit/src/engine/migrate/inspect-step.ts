import type { Connection, DatabaseError, RowValues } from "../../ports/database.ts"
import type { Precondition, Step } from "../../sql/tables/step.ts"

/** The effect that a schema change step would have on the rows of a database. */
export interface StepInspection {
  /** The number of rows that would lose data; undefined if that number cannot be determined. */
  readonly lostRows: bigint | undefined
  /** A sentence about the rows because of which the step would fail; undefined if there are none. */
  readonly violations: string | undefined
}

/**
 * Finds out how a step would affect the stored rows, and changes nothing. If the database lacks the step's table or
 * column, no row is affected.
 */
export async function inspectStep(connection: Connection, { loss, precondition }: Step): Promise<StepInspection> {
  const [counted] = (loss && (await queryIfPresent(connection, loss.count))) ?? []
  const violations = precondition && (await findViolations(connection, precondition))
  return { lostRows: counted === undefined ? undefined : BigInt(String(counted[0])), violations }
}

/** Returns a sentence about the rows that violate the precondition; undefined if there are none, or none are known. */
export async function findViolations(
  connection: Connection,
  { violations }: Precondition,
): Promise<string | undefined> {
  const [row] = violations === undefined ? [] : ((await queryIfPresent(connection, violations)) ?? [])
  return typeof row?.[0] === "string" ? row[0] : undefined
}

/** Returns the message for a step that cannot run. `found` describes the rows that prevent it. */
export function refusalOf({ problem, remedy }: Precondition, found: string | undefined): string {
  return [problem, found, remedy].filter(Boolean).join(" ")
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
    // Inside a transaction, this is a savepoint, so that an error does not abort the transaction.
    const { rows } = await connection.transaction((inner) => inner.query({ text, values: [] }))
    return rows
  } catch (error) {
    // The cast is safe: `code` is optional. Errors that do not come from the driver have no code and are rethrown.
    const { code } = error as Partial<DatabaseError>
    if (code === MISSING_TABLE || code === MISSING_COLUMN || code === MISSING_OPERATOR) return undefined
    throw error
  }
}
