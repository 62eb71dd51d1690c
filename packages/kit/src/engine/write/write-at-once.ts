import type { QueryResult, Statement } from "../../ports/database.ts"
import { isTransaction } from "../context/is-transaction.ts"
import type { OperationContext } from "../context/operation-context.ts"

/**
 * Runs the one statement of a write. Inside a transaction of the author's it has a savepoint: a refused statement
 * would else end all of it, and whoever catches the refusal could not go on.
 */
export function writeAtOnce({ connection, isNested }: OperationContext, statement: Statement): Promise<QueryResult> {
  if (isNested || !isTransaction(connection)) return connection.query(statement)
  return connection.transaction((inner) => inner.query(statement))
}
