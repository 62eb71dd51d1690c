import type { QueryResult, Statement } from "../../ports/database.ts"
import type { OperationContext } from "../context/operation-context.ts"

/**
 * Runs the statement that reads the records of a response. Unless the caller is system code, the response's byte budget
 * limits it.
 */
export function readForAnswer(ctx: OperationContext, statement: Statement): Promise<QueryResult> {
  return ctx.isSystem ? ctx.connection.query(statement) : ctx.answerBudget.read(ctx.connection, statement)
}
