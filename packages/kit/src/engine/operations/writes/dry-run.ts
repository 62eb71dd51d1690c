import type { Connection, Statement, Transaction } from "../../../ports/database.ts"
import { isTransaction } from "../../context/is-transaction.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { readFlag, type UncheckedOptions } from "../../context/read-options.ts"
import { withRetries } from "../../write/with-retries.ts"

type Write<Result> = (ctx: OperationContext) => Promise<Result>

/** Parses the option `dryRun`, which rolls a write back after it has succeeded. */
export function readDryRun({ options }: UncheckedOptions): boolean {
  return options["dryRun"] !== undefined && readFlag("dryRun", options["dryRun"])
}

/** Runs the write, as a dry run if that is what the caller wants. */
export function writeOrDryRun<Result>(ctx: OperationContext, isDryRun: boolean, write: Write<Result>): Promise<Result> {
  return isDryRun ? dryRun(ctx, write) : write(ctx)
}

/**
 * Runs the whole write in a transaction and rolls it back: the rules, the defaults, the hooks and the statements, and
 * all that they do on the connection. Returns the result of the write, or throws its error. Inside the author's own
 * transaction, only the write is rolled back.
 */
function dryRun<Result>(ctx: OperationContext, write: Write<Result>): Promise<Result> {
  return withRetries(ctx, (attempt) =>
    rolledBack(attempt.connection, (connection) => write({ ...attempt, connection, dryRun: {} })),
  )
}

const CHECK_DEFERRED_CONSTRAINTS: Statement = { text: "set constraints all immediate", values: [] }

async function rolledBack<Result>(
  connection: Connection,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const isOutermost = !isTransaction(connection)
  const rollBack = new Error("The dry run succeeds, and is rolled back.")
  const results: Result[] = []
  const rehearse = async (transaction: Transaction): Promise<never> => {
    results.push(await work(transaction))
    if (isOutermost) await transaction.query(CHECK_DEFERRED_CONSTRAINTS)
    // Only an error rolls a transaction back.
    throw rollBack
  }
  return await connection.transaction(rehearse).catch((error: unknown) => {
    const [result] = results
    if (error !== rollBack || result === undefined) throw error
    return result
  })
}
