import type { Resource } from "../../../schema/compile/resource.ts"
import type { DeleteManyResult } from "../../../wire/results/results.ts"
import { writtenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { readMembers } from "../../context/read-members.ts"
import { type Answer, plainAnswer } from "../../read/answer.ts"
import { type BulkInput, readBulkWhere } from "../../write/bulk/bulk-input.ts"
import { copyRemovalOf, removalOf } from "../../write/bulk/remove-rows.ts"
import { resolveWrittenRows } from "../../write/bulk/written-rows.ts"
import { removeInTransaction } from "../../write/order.ts"
import { withRetries } from "../../write/with-retries.ts"

/**
 * Deletes all records that match the filter and that the caller may read and delete, in one transaction. With a stage,
 * withdraws the records from that stage: deletes their copies there, and not the records.
 */
export function deleteMany(
  ctx: OperationContext,
  resource: Resource,
  input: BulkInput,
): Promise<Answer<DeleteManyResult>> {
  return withRetries(ctx, (attempt) => deleteManyOnce(attempt, resource, input))
}

async function deleteManyOnce(
  ctx: OperationContext,
  resource: Resource,
  { body, stage: named }: BulkInput,
): Promise<Answer<DeleteManyResult>> {
  const stage = writtenStage(resource, named)
  const members = readMembers(body, ["where", "all"])
  const operation = stage === undefined ? "delete" : "transition"
  const written = await resolveWrittenRows(ctx, resource, { operation, stage })
  const filter = await readBulkWhere(ctx, { resource, stage, named }, members)
  const removal = stage === undefined ? removalOf(ctx, resource) : copyRemovalOf(written.resource, stage)
  return await removeInTransaction(ctx, {
    ...removal,
    lock: (inner) => written.lock(inner, filter),
    answer: async (_ctx, { ids }) => plainAnswer({ success: true, count: ids.length }),
  })
}
