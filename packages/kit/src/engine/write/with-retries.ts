import type { MaybePromise } from "../../schema/context/when-ready.ts"
import { isTransaction } from "../context/is-transaction.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { isRetryable } from "../database/database-errors.ts"

const MAX_TRIES = 4
const FIRST_PAUSE_MS = 20

type Write<Result> = (ctx: OperationContext) => MaybePromise<Result>

/**
 * Retries a write that the database server rolled back because of a deadlock, a serialization failure or a changed
 * table. Does not retry inside the author's own transaction, nor after a hook has run, because the hook may have had
 * effects outside the database.
 */
export async function withRetries<Result>(ctx: OperationContext, write: Write<Result>): Promise<Result> {
  return await (isTransaction(ctx.connection) ? write(ctx) : attempt(ctx, write, 1))
}

async function attempt<Result>(ctx: OperationContext, write: Write<Result>, tries: number): Promise<Result> {
  const current = { hasRunHooks: false }
  try {
    return await write({ ...ctx, attempt: current })
  } catch (error) {
    if (tries === MAX_TRIES || current.hasRunHooks || !isRetryable(error)) throw error
    const message = "A write was rolled back (deadlock, serialization failure or changed table) and is retried."
    ctx.logger.info(message, { error, tries })
  }
  await pause(FIRST_PAUSE_MS * 2 ** tries * Math.random())
  return await attempt(ctx, write, tries + 1)
}

// Waits for `durationMs`. The duration is random, so that writes that conflicted do not conflict again.
function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs)
  })
}
