import type { DatabaseError, Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"

// The time to wait for a table lock. It is short because a session that waits for an exclusive lock blocks all later
// sessions on that table. It is less than `deadlock_timeout` (one second), so that in a deadlock the schema change
// gives up and not a request.
const LOCK_TIMEOUT_MS = 400
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000

// The number of tries between two warnings in the log. Six tries take about ten seconds.
const TRIES_PER_WARNING = 6
const STILL_LOCKED =
  "The tables cannot be changed yet: another session holds a lock on one of them (see pg_locks). Retrying."

const LOCK_NOT_AVAILABLE = "55P03"
const DEADLOCK = "40P01"

/**
 * Runs `work`, which changes tables, and retries it for as long as other sessions hold table locks that it needs.
 * Between two tries `work` holds no table lock, so other sessions can continue.
 */
export async function retryWhileLocked<Result>(
  connection: Transaction,
  work: (connection: Transaction) => Promise<Result>,
  logger: Logger | undefined,
): Promise<Result> {
  await connection.query({ text: `set local lock_timeout = ${LOCK_TIMEOUT_MS}`, values: [] })
  for (let tries = 0; ; tries++) {
    const outcome = await attempt(connection, work)
    if ("result" in outcome) return outcome.result
    if (tries % TRIES_PER_WARNING === TRIES_PER_WARNING - 1) logger?.warn(STILL_LOCKED, outcome)
    await pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2))
  }
}

// Runs `work` in a savepoint. If it fails, the rollback to the savepoint releases the locks that `work` has taken.
async function attempt<Result>(
  connection: Transaction,
  work: (connection: Transaction) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly error: unknown }> {
  try {
    return { result: await connection.transaction(work) }
  } catch (error) {
    // The cast is safe: `code` is optional. Errors that do not come from the driver have no code and are rethrown.
    const { code } = error as Partial<DatabaseError>
    if (code === LOCK_NOT_AVAILABLE || code === DEADLOCK) return { error }
    throw error
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs)
  })
}
