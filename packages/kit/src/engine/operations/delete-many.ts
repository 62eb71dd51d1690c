import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import { deleteRows, updateRows } from "../../sql/write/write-many.ts"
import type { DeleteManyResult } from "../../wire/results/results.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type Answer, plainAnswer } from "../read/answer.ts"
import { byIds } from "../read/by-id.ts"
import { TimeSlice } from "../read/time-slice.ts"
import { readBulkWhere, readMembers } from "../write/bulk-input.ts"
import { lockRows } from "../write/bulk-rows.ts"
import { hasDeleteHooks, readWholeRows, runDeleteHooks } from "../write/hooks.ts"
import { hasReferrers } from "../write/relations/referrers.ts"
import { removeAllForGood } from "../write/relations/remove-row.ts"
import { resolveWriteRights } from "../write/rights.ts"
import { markCopiesDeleted } from "../write/stage-copies.ts"
import { stampChange } from "../write/stamp.ts"
import { withRetries } from "../write/with-retries.ts"
import { reachableRows } from "./update-many.ts"

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
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    const ids = await lockRows(inner, resource, matching)
    return plainAnswer({ success: true, count: await removeAll(inner, resource, ids) })
  })
}

async function removeAll(ctx: WriteContext, resource: Resource, ids: readonly string[]): Promise<number> {
  // Records that other records can refer to are deleted one by one, so that the `onDelete` setting of the referring
  // fields is applied for each deleted record.
  if (resource.deletedAt === undefined && hasReferrers(ctx.schema, resource)) {
    await removeAllForGood(ctx, resource, ids)
    return ids.length
  }
  return hasDeleteHooks(resource) ? removeWithHooks(ctx, resource, ids) : remove(ctx, resource, ids)
}

async function removeWithHooks(ctx: WriteContext, resource: Resource, ids: readonly string[]): Promise<number> {
  const turn = new TimeSlice()
  const originals = [...(await readWholeRows(ctx, resource, byIds(resource, ids))).values()]
  for (const original of originals) {
    if (turn.isOver) await turn.next()
    await runDeleteHooks(ctx, { resource, moment: "beforeDelete" }, { operation: "delete", original })
  }
  const count = await remove(ctx, resource, ids)
  for (const original of originals) {
    if (turn.isOver) await turn.next()
    await runDeleteHooks(ctx, { resource, moment: "afterDelete" }, { operation: "delete", original })
  }
  return count
}

async function remove(ctx: WriteContext, resource: Resource, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { deletedAt } = resource
  if (deletedAt === undefined) return (await ctx.connection.query(deleteRows(resource, ids))).rowCount
  const values = new Map<ResourceField, unknown>()
  values.set(deletedAt, stampChange(ctx, resource, values))
  const { rowCount } = await ctx.connection.query(updateRows(resource, ids, values))
  await markCopiesDeleted(ctx, resource, ids)
  return rowCount
}
