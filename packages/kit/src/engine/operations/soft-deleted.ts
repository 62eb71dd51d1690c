import type { Resource } from "../../schema/compile/resource.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { restoreRow } from "../../sql/write/write.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { PurgeResult } from "../../wire/results/results.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type Answer, plainAnswer } from "../read/answer.ts"
import { byId, canonicalId, requireId } from "../read/by-id.ts"
import { checkRevision, type ExpectedRevision } from "../read/revision.ts"
import { hasChangeHooks, namedValues, readWholeRow, runAfterChange, runBeforeChange } from "../write/hooks.ts"
import { takeNestedWrites } from "../write/relations/nested.ts"
import { removeForGood } from "../write/relations/remove-row.ts"
import { writeWithRelated } from "../write/relations/write-with-related.ts"
import { checkWrittenRow, lockForWrite, readWrittenRow, resolveWriteRights, type WriteRights } from "../write/rights.ts"
import { markCopiesDeleted } from "../write/stage-copies.ts"
import { stampChange } from "../write/stamp.ts"
import { withRetries } from "../write/with-retries.ts"

interface Target {
  readonly id: unknown
  readonly expected?: ExpectedRevision | undefined
}

/**
 * Restores a soft-deleted record if the restore rule allows it. If there is no restore rule, the update rule is used.
 */
export function restoreRecord(ctx: OperationContext, resource: Resource, target: Target): Promise<Answer<RecordData>> {
  return withRetries(ctx, (attempt) => restoreOnce(attempt, resource, target))
}

async function restoreOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: given, expected }: Target,
): Promise<Answer<RecordData>> {
  requireSoftDelete(resource, "restore")
  const rights = await resolveWriteRights(ctx, resource, { operation: "restore", id: canonicalId(resource, given) })
  const id = requireId(resource, given)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockDeleted(inner, { resource, id, expected }, rights)
    await restoreLockedRow(inner, resource, id)
    await checkWrittenRow(inner, { resource, id }, rights)
    return readWrittenRow(inner, { resource, id }, rights)
  })
}

/** Removes the row of a soft-deleted record, if the purge rule allows it. */
export function purgeRecord(ctx: OperationContext, resource: Resource, target: Target): Promise<Answer<PurgeResult>> {
  return withRetries(ctx, (attempt) => purgeOnce(attempt, resource, target))
}

async function purgeOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: given, expected }: Target,
): Promise<Answer<PurgeResult>> {
  requireSoftDelete(resource, "purge")
  const rights = await resolveWriteRights(ctx, resource, { operation: "purge", id: canonicalId(resource, given) })
  const id = requireId(resource, given)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockDeleted(inner, { resource, id, expected }, rights)
    await removeForGood(inner, { resource, id })
    return plainAnswer({ success: true })
  })
}

function requireSoftDelete(resource: Resource, operation: string): void {
  if (resource.deletedAt) return
  throw new ApiError("BAD_REQUEST", { message: `"${resource.name}" keeps no deleted records to ${operation}.` })
}

async function lockDeleted(
  ctx: WriteContext,
  { resource, id, expected }: { resource: Resource; id: string; expected: ExpectedRevision | undefined },
  rights: WriteRights,
): Promise<void> {
  await lockForWrite(ctx, { resource, id }, rights)
  const fields = resource.deletedAt ? [resource.deletedAt] : []
  const { rows } = await ctx.connection.query(selectMatching({ resource, fields, relations: [] }, byId(resource, id)))
  if (rows[0]?.[0] === null) throw new ApiError("CONFLICT", { message: "The record is not deleted." })
  await checkRevision(ctx, { resource, id, expected }, rights)
}

async function restoreLockedRow(ctx: WriteContext, resource: Resource, id: string): Promise<void> {
  const original = hasChangeHooks(resource) ? await readWholeRow(ctx, resource, id) : {}
  const change = { resource, operation: "restore", data: {}, original } as const
  const values = await runBeforeChange(ctx, change, new Map())
  const nested = takeNestedWrites(values)
  const written = namedValues(values)
  stampChange(ctx, resource, values)
  await writeWithRelated(ctx, { resource, id, values, nested }, () => restoreRow(resource, { id, values }))
  await markCopiesDeleted(ctx, resource, [id])
  await runAfterChange(ctx, { ...change, data: written }, id)
}
