import type { QueryResult, Statement } from "../../ports/database.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** Runs a read of records for their answer: at most as many bytes as an answer may have, unless system code reads. */
export function readForAnswer(ctx: OperationContext, statement: Statement): Promise<QueryResult> {
  return ctx.isSystem ? ctx.connection.query(statement) : ctx.answers.read(ctx.connection, statement)
}
