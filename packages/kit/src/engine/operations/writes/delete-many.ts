import type { Resource } from "../../../schema/compile/resource.ts"
import { guardedFilter } from "../../../sql/filter/guarded-filter.ts"
import type { DeleteManyResult } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type Answer, plainAnswer } from "../../read/answer.ts"
import { readBulkWhere, readMembers } from "../../write/bulk/bulk-input.ts"
import { lockRows } from "../../write/bulk/bulk-rows.ts"
import { removalOf } from "../../write/bulk/remove-rows.ts"
import { removeInTransaction } from "../../write/order.ts"
import { reachableRows, resolveWriteRights } from "../../write/rights.ts"
import { withRetries } from "../../write/with-retries.ts"

/** Deletes all records that match the filter and that the caller may read and delete, in one transaction. */
export function deleteMany(
  ctx: OperationContext,
  resource: Resource,
  body: unknown,
): Promise<Answer<DeleteManyResult>> {
  return withRetries(ctx, (attempt) => deleteManyOnce(attempt, resource, body))
}

async function deleteManyOnce(
  ctx: OperationContext,
  resource: Resource,
  body: unknown,
): Promise<Answer<DeleteManyResult>> {
  const members = readMembers(body, ["where", "all"])
  const rights = await resolveWriteRights(ctx, resource, { operation: "delete" })
  const matching = guardedFilter(reachableRows(rights), await readBulkWhere(ctx, resource, members))
  return await removeInTransaction(ctx, {
    ...removalOf(ctx, resource),
    lock: (inner) => lockRows(inner, resource, matching),
    answer: async (_ctx, { ids }) => plainAnswer({ success: true, count: ids.length }),
  })
}
