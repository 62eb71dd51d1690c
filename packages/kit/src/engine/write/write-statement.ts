import type { QueryResult, Statement } from "../../ports/database.ts"
import { isTransaction } from "../context/is-transaction.ts"
import type { OperationContext } from "../context/operation-context.ts"

/**
 * Runs a write that is a single statement. Inside the author's own transaction, the statement runs in a savepoint.
 * Otherwise a failed statement would abort the transaction, and code that catches the error could not continue.
 */
export function runWriteStatement(
  { connection, isNested }: OperationContext,
  statement: Statement,
): Promise<QueryResult> {
  if (isNested || !isTransaction(connection)) return connection.query(statement)
  return connection.transaction((inner) => inner.query(statement))
}
