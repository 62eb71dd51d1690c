import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { answerRecord } from "../read/read-hooks.ts"
import { affectsContent } from "../search/index/content.ts"
import type { InputWrite, ParsedInput } from "./described-write.ts"
import { hasWriteHooks } from "./hooks.ts"
import { findMissingTarget } from "./relations/relation-targets.ts"
import { runWriteStatement } from "./write-statement.ts"

/**
 * Writes the record in one SQL statement, without a transaction around it. That is possible if no rule depends on the
 * row, so that the write needs no lock and no check afterwards, and if no hook runs. Returns undefined if it is not
 * possible, or if there was no row to write: the general path then writes the record, or finds the error to throw.
 */
export async function writeInOneStatement(
  ctx: OperationContext,
  { resource, rights, revision, complete }: InputWrite,
  { values, nested }: ParsedInput,
): Promise<Answer<RecordData> | undefined> {
  const isUnconditional = rights.areUnconditional && revision?.expected === undefined
  if (!ctx.hasShortcuts || !isUnconditional || nested || hasWriteHooks(resource)) return undefined
  if (affectsContent(ctx.schema, resource)) return undefined
  const { statementReturning } = complete(ctx, values)
  if (statementReturning === undefined || (await findMissingTarget(ctx, values))) return undefined
  const { selection } = rights
  const { rows } = await runWriteStatement(ctx, statementReturning(selection.fields))
  return rows[0] && answerRecord(ctx, { selection, operation: "write" }, rows[0])
}
