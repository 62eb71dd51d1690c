import type { Resource } from "../../../schema/compile/resource.ts"
import { restoreRow } from "../../../sql/write/write.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import type { AddressedRecord } from "../../read/revision.ts"
import { markCopiesDeleted } from "../../write/copies/stage-copies.ts"
import { hasChangeHooks, readWholeRow } from "../../write/hooks.ts"
import { writeInTransaction } from "../../write/order.ts"
import { resolveWriteRights } from "../../write/rights.ts"
import { lockDeleted, requireSoftDelete } from "../../write/soft-deleted.ts"
import { stampChange } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"
import { recordSteps } from "../../write/write-record.ts"
import { prepareValues, type RowChange } from "../../write/write-row.ts"

/**
 * Restores a soft-deleted record if the restore rule allows it. If there is no restore rule, the update rule is used.
 */
export function restoreRecord(
  ctx: OperationContext,
  resource: Resource,
  target: AddressedRecord,
): Promise<Answer<RecordData>> {
  return withRetries(ctx, (attempt) => restoreOnce(attempt, resource, target))
}

async function restoreOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, expected }: AddressedRecord,
): Promise<Answer<RecordData>> {
  requireSoftDelete(resource, "restore")
  const rights = await resolveWriteRights(ctx, resource, { operation: "restore", id: canonicalId(resource, asked) })
  const row = { resource, id: requireId(resource, asked) }
  const steps = recordSteps({
    rights,
    lock: (inner) => lockDeleted(inner, row, rights),
    revision: { ...row, expected },
    prepare: async (inner) => ({ ...(await prepareRestore(inner, row)), rights }),
  })
  return await writeInTransaction(ctx, steps)
}

async function prepareRestore(
  ctx: WriteContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
): Promise<RowChange> {
  const original = hasChangeHooks(resource) ? await readWholeRow(ctx, resource, id) : {}
  const change = { resource, operation: "restore", data: {}, original } as const
  const { values, nested, completed } = await prepareValues(ctx, change, new Map())
  stampChange(ctx, resource, values)
  return {
    resource,
    id,
    values,
    nested,
    completed,
    statement: (rules) => restoreRow(resource, { id, values }, rules),
    writeDerived: (inner) => markCopiesDeleted(inner, resource, [id]),
  }
}
