import type { BulkSession } from "../../ports/bulk-session.ts"

/** Runs `work` in a transaction. Commits it, or rolls it back if `work` throws. */
export async function inTransaction<Result>(session: BulkSession, work: () => Promise<Result>): Promise<Result> {
  await run(session, "begin")
  try {
    const result = await work()
    await run(session, "commit")
    return result
  } catch (error) {
    // An error of the rollback is ignored: a lost connection has already rolled back, and the original error is
    // rethrown.
    await run(session, "rollback").catch(() => {})
    throw error
  }
}

/** Runs one or more SQL statements that have no parameters. */
export async function run(session: BulkSession, text: string): Promise<void> {
  await session.query({ text, values: [] })
}
