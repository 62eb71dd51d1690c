import type { QueryResult, Statement } from "../../ports/database.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** Runs the read of an answer's records. Limits its bytes to those of an answer, except for system code. */
export function readForAnswer(ctx: OperationContext, statement: Statement): Promise<QueryResult> {
  return ctx.isSystem ? ctx.connection.query(statement) : ctx.answerBudget.read(ctx.connection, statement)
}
