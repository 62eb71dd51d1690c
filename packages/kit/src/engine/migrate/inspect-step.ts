import type { Connection, DatabaseError, RowValues } from "../../ports/database.ts"
import type { Step } from "../../sql/tables/step.ts"

/** What a step would meet in a database. */
export interface Finding {
  /** The rows of which it would lose something; undefined where that cannot be told. */
  readonly lostRows: bigint | undefined
  /** There are records that it cannot run on. */
  readonly isRefused: boolean
}

/** Looks at what is stored, and changes nothing. A database that is not at the step's start has nothing to tell. */
export async function inspectStep(connection: Connection, { loss, demand }: Step): Promise<Finding> {
  const [counted] = (loss && (await ask(connection, loss.count))) ?? []
  const offending = demand?.counterExample && (await ask(connection, demand.counterExample))
  return {
    lostRows: counted === undefined ? undefined : BigInt(String(counted[0])),
    isRefused: offending !== undefined && offending.length > 0,
  }
}

const MISSING_TABLE = "42P01"
const MISSING_COLUMN = "42703"
// A column of another type does not have the operators that are asked for.
const MISSING_OPERATOR = "42883"

/** What a query finds; undefined where the database does not have what it is about. */
export async function ask(connection: Connection, text: string): Promise<readonly RowValues[] | undefined> {
  try {
    return (await connection.query({ text, values: [] })).rows
  } catch (error) {
    // What a driver throws has a code; anything else has none and is thrown on.
    const { code } = error as Partial<DatabaseError>
    if (code === MISSING_TABLE || code === MISSING_COLUMN || code === MISSING_OPERATOR) return undefined
    throw error
  }
}
