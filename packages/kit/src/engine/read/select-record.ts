import type { Caller, RowValues, Statement } from "../../ports/database.ts"
import { isMasked } from "../../sql/filter/masked-field.ts"
import type { Predicate } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectEachAsJson } from "../../sql/read/select-json.ts"
import { isTransaction } from "../context/is-transaction.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { valuesKey } from "./answer-key.ts"
import type { RecordRead } from "./plan-read.ts"
import { readForAnswer } from "./read-for-answer.ts"

/**
 * Runs the statement that selects a planned record as JSON text. The records of several requests may be read by one
 * statement.
 */
export function selectRecord(
  ctx: OperationContext,
  plan: RecordRead,
  statement: Statement,
): Promise<{ readonly rows: readonly RowValues[] }> {
  const { caller, sharedReads } = ctx
  const { addressed, selection } = plan
  const readAlone = () => readForAnswer(ctx, statement)
  const isShareable = addressed && statement.values[0] === addressed.id
  if (!isShareable || caller === undefined || ctx.isSystem || isTransaction(ctx.connection)) return readAlone()
  const { id, readable } = addressed
  const selectEach = (ids: readonly string[]) => selectEachAsJson({ selection, predicate: readable }, ids)
  return sharedReads.read({ id, caller, key: shareKey(statement, plan, caller), selectEach, readAlone })
}

// Reads with equal keys differ only in the id, which is the first value of their statements. The reads of all callers are
// shared if they do nothing but look up a row, so that nobody can make the reads of others slow. All other reads are
// shared with those of the same caller.
function shareKey({ text, values }: Statement, { selection, predicate }: RecordRead, caller: Caller): string {
  if (values.length === 1 && isLookup(selection) && comparesOwnColumns(predicate)) return text
  return JSON.stringify([text, caller.key, valuesKey(values.slice(1))])
}

function isLookup({ fields, relations }: Selection): boolean {
  return relations.length === 0 && fields.every(({ isStored }) => isStored)
}

function comparesOwnColumns(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "all":
    case "any":
      return predicate.parts.every(comparesOwnColumns)
    case "not":
      return comparesOwnColumns(predicate.part)
    case "compare":
      return predicate.field.isStored && !isMasked(predicate.field)
    default:
      return false
  }
}
