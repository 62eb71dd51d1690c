import type { Database, DatabaseError, Transaction } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { prepareOwnTables } from "./stored-schema.ts"
import { syncTables } from "./sync-schema.ts"

// Other sessions use the tables meanwhile. They must not wait long for the locks of a rehearsal.
const LOCK_TIMEOUT_MS = 400
const STATEMENT_TIMEOUT_MS = 5_000

// The error codes for a lock timeout, a deadlock and a statement timeout.
const UNDECIDED: readonly unknown[] = ["55P03", "40P01", "57014"]

/**
 * Syncs the tables and rolls everything back. Throws the error with which a sync would fail. If other sessions hold locks
 * on the tables, or the sync takes long, its outcome remains open, and nothing is thrown.
 */
export async function rehearseSync(database: Database, schema: AppSchema): Promise<void> {
  const rollBack = new Error("The sync succeeds, and is rolled back.")
  const rehearse = async (connection: Transaction): Promise<never> => {
    const limits = `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`
    await connection.query({ text: limits, values: [] })
    await prepareOwnTables(connection)
    await syncTables(connection, schema)
    // Only an error rolls a transaction back.
    throw rollBack
  }
  await database.transaction(rehearse).catch((error: Partial<DatabaseError>) => {
    if (error !== rollBack && !UNDECIDED.includes(error.code)) throw error
  })
}
