import type { DatabaseError, Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"

// A session that waits for an exclusive lock blocks all later ones, even those that could share the table with its
// holder. Shorter than `deadlock_timeout` (one second): in a deadlock the schema change gives up, and not a request.
const LOCK_TIMEOUT_MS = 400
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000

// Six tries take about ten seconds.
const TRIES_PER_WARNING = 6
const STILL_LOCKED =
  "The tables cannot be changed yet: another session holds a lock on one of them (see pg_locks). Retrying."

const LOCK_NOT_AVAILABLE = "55P03"
const DEADLOCK = "40P01"

/**
 * Runs `work`, which changes tables, and retries it for as long as other sessions hold locks that it needs. Between two
 * tries it holds no table lock, so other sessions can continue.
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

// Rolling back to a savepoint releases the locks that were taken since.
async function attempt<Result>(
  connection: Transaction,
  work: (connection: Transaction) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly error: unknown }> {
  try {
    return { result: await connection.transaction(work) }
  } catch (error) {
    // Errors of a driver have a code; other errors have none and are rethrown.
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
