import type { BulkSession } from "../../ports/bulk-session.ts"

/** Runs `work` in a transaction: commits, or rolls back if `work` throws. */
export async function inTransaction<Result>(session: BulkSession, work: () => Promise<Result>): Promise<Result> {
  await run(session, "begin")
  try {
    const result = await work()
    await run(session, "commit")
    return result
  } catch (error) {
    // A lost connection has already rolled back, and the original error is the one to report.
    await run(session, "rollback").catch(() => {})
    throw error
  }
}

/** Runs statements without parameters. */
export async function run(session: BulkSession, text: string): Promise<void> {
  await session.query({ text, values: [] })
}
