import type { RowValues } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import { type AddressedRecord, checkRevision } from "../../read/revision.ts"
import { copyRemovalOf, type RemovedRows } from "../../write/bulk/remove-rows.ts"
import { requireCopies, resolveCopyRights } from "../../write/copies/copy-rights.ts"
import { type RemovalSteps, removeInTransaction } from "../../write/order.ts"
import { answerWrittenRow, lockForWrite, selectWrittenRow } from "../../write/rights.ts"

interface AddressedCopy extends AddressedRecord {
  /** The stage whose copy is deleted. It can be any stage except the initial stage. */
  readonly stage: string
}

/**
 * Withdraws a record from a stage: deletes its copy there, and not the record. The caller needs the right to transition
 * the record to that stage. Returns the copy as it was, as far as it is visible to the caller.
 */
export async function deleteCopy(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, stage, expected }: AddressedCopy,
): Promise<Answer<RecordData>> {
  const facts = { operation: "transition", id: canonicalId(resource, asked), stage } as const
  const { copy, onWorking, onCopy } = await resolveCopyRights(ctx, resource, facts)
  const id = requireId(resource, asked)
  const removal = copyRemovalOf(copy, stage)
  const steps: RemovalSteps<readonly string[], RemovedCopy, Answer<RecordData>> = {
    ...removal,
    lock: async (inner) => {
      await lockForWrite(inner, { resource, id }, onWorking)
      await requireCopies(inner, { copy, stage, ids: [id] })
      return [id]
    },
    checkRevision: (inner) => checkRevision(inner, { resource: copy, id, expected }, onCopy),
    prepare: async (inner, ids) => {
      const row = await selectWrittenRow(inner, { resource: copy, id }, onCopy)
      return { ...(await removal.prepare(inner, ids)), row }
    },
    answer: (inner, { row }) => answerWrittenRow(inner, { id, row }, onCopy),
  }
  return await removeInTransaction(ctx, steps)
}

/** A stage copy that is being deleted, as it was read for the response. */
interface RemovedCopy extends RemovedRows {
  readonly row: RowValues | undefined
}
