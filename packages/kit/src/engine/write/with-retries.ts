import { isTransaction } from "../context/is-transaction.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { isRetryable } from "../database/database-errors.ts"

const MAX_TRIES = 4
const FIRST_PAUSE_MS = 20

type Write<Result> = (ctx: OperationContext) => Promise<Result>

/**
 * Retries a write that the database server rolled back because of a deadlock, a serialization failure or a changed
 * table. Does not retry inside the author's own transaction, nor after a hook has run, because the hook may have had
 * effects outside the database.
 */
export async function withRetries<Result>(ctx: OperationContext, write: Write<Result>): Promise<Result> {
  if (isTransaction(ctx.connection)) return await write(ctx)
  for (let tries = 1; ; tries++) {
    const outcome = await attemptOnce(ctx, write, tries === MAX_TRIES)
    if ("result" in outcome) return outcome.result
    ctx.logger.info("A write was rolled back (deadlock, serialization failure or changed table) and is retried.", {
      ...outcome,
      tries,
    })
    await pause(FIRST_PAUSE_MS * 2 ** tries * Math.random())
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

async function attemptOnce<Result>(
  ctx: OperationContext,
  write: Write<Result>,
  isLast: boolean,
): Promise<Outcome<Result>> {
  const attempt = { hasRunHooks: false }
  try {
    return { result: await write({ ...ctx, attempt }) }
  } catch (error) {
    if (isLast || attempt.hasRunHooks || !isRetryable(error)) throw error
    return { error }
  }
}

// Waits for `durationMs`. The duration is random, so that writes that conflicted do not conflict again.
function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs)
  })
}
