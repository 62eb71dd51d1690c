import type { Resource } from "../../../schema/compile/resource.ts"
import type { PurgeResult } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type Answer, plainAnswer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import { type AddressedRecord, checkRevision } from "../../read/revision.ts"
import { removeInTransaction } from "../../write/order.ts"
import { removalOfRow } from "../../write/relations/remove-row.ts"
import { resolveWriteRights } from "../../write/rights.ts"
import { lockDeleted, requireSoftDelete } from "../../write/soft-deleted.ts"
import { withRetries } from "../../write/with-retries.ts"

/** Removes the row of a soft-deleted record, if the purge rule allows it. */
export function purgeRecord(
  ctx: OperationContext,
  resource: Resource,
  target: AddressedRecord,
): Promise<Answer<PurgeResult>> {
  return withRetries(ctx, (attempt) => purgeOnce(attempt, resource, target))
}

async function purgeOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, expected }: AddressedRecord,
): Promise<Answer<PurgeResult>> {
  requireSoftDelete(resource, "purge")
  const rights = await resolveWriteRights(ctx, resource, { operation: "purge", id: canonicalId(resource, asked) })
  const row = { resource, id: requireId(resource, asked) }
  return await removeInTransaction(ctx, {
    ...removalOfRow(row),
    lock: (inner) => lockDeleted(inner, row, rights),
    checkRevision: (inner) => checkRevision(inner, { ...row, expected }, rights),
    answer: async () => plainAnswer({ success: true }),
  })
}
