import type { BulkSession } from "../../ports/bulk-session.ts"

/** Commits what `work` has done, or rolls it back when it throws. */
export async function inTransaction<Result>(session: BulkSession, work: () => Promise<Result>): Promise<Result> {
  await run(session, "begin")
  try {
    const result = await work()
    await run(session, "commit")
    return result
  } catch (error) {
    // A lost connection has rolled back by itself, and its own reason is the one to tell.
    await run(session, "rollback").catch(() => {})
    throw error
  }
}

/** Statements without parameters. */
export async function run(session: BulkSession, text: string): Promise<void> {
  await session.query({ text, values: [] })
}
