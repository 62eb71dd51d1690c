import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { keepsLinks } from "../../sql/versions/write-versions.ts"
import { deleteRow, updateRow } from "../../sql/write/write.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { DeleteResult } from "../../wire/results/results.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { canonicalId, recordNotFound, requireId } from "../read/by-id.ts"
import { answerRecord } from "../read/read-hooks.ts"
import type { extendedMeta } from "../read/records.ts"
import { checkRevision, type ExpectedRevision } from "../read/revision.ts"
import { hasDeleteHooks, hasWriteHooks, readWholeRow, runDeleteHooks } from "../write/hooks.ts"
import { hasReferrers } from "../write/relations/referrers.ts"
import { removeForGood } from "../write/relations/remove-row.ts"
import { lockForWrite, readWrittenRow, resolveWriteRights, type WriteRights } from "../write/rights.ts"
import { markCopiesDeleted } from "../write/stage-copies.ts"
import { stampChange } from "../write/stamp.ts"
import { withRetries } from "../write/with-retries.ts"
import { runWriteStatement } from "../write/write-statement.ts"

/**
 * Deletes one record if the delete rule allows it, and returns those fields of the record that are visible to the
 * caller.
 */
export function deleteRecord(
  ctx: OperationContext,
  resource: Resource,
  target: Target,
): Promise<Answer<DeleteResult<RecordData>>> {
  return withRetries(ctx, (attempt) => deleteOnce(attempt, resource, target))
}

interface Target {
  readonly id: unknown
  readonly expected?: ExpectedRevision | undefined
}

async function deleteOnce(
  ctx: OperationContext,
  resource: Resource,
  target: Target,
): Promise<Answer<DeleteResult<RecordData>>> {
  const rights = await resolveWriteRights(ctx, resource, { operation: "delete", id: canonicalId(resource, target.id) })
  const id = requireId(resource, target.id)
  const isPlain = rights.areUnconditional && target.expected === undefined && !hasWriteHooks(resource)
  if (ctx.hasShortcuts && isPlain && canDeleteInOneStatement(ctx, resource))
    return deleteInOneStatement(ctx, { resource, id }, rights)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockForWrite(inner, { resource, id }, rights)
    await checkRevision(inner, { resource, id, expected: target.expected }, rights)
    // A soft-deleted row is read after the delete, so that the response has the time of deletion. Any other row is read
    // before the delete removes it.
    const before = resource.deletedAt ? undefined : await readWrittenRow(inner, { resource, id }, rights)
    await removeRow(inner, { resource, id })
    return asDeleted(before ?? (await readWrittenRow(inner, { resource, id }, rights)))
  })
}

// True if one SQL statement can delete a record. It cannot if the collection keeps versions: while the statement waits
// for the row, another transaction may write a version that is not in the statement's snapshot. That version would
// outlive the record.
function canDeleteInOneStatement({ schema }: OperationContext, resource: Resource): boolean {
  if (resource.deletedAt) return !keepsLinks(resource) && resource.workflow === undefined
  return resource.versions === undefined && !hasReferrers(schema, resource)
}

function asDeleted(deleted: Answer<RecordData>): Answer<DeleteResult<RecordData>> {
  const { value, meta } = deleted
  return { ...deleted, value: { success: true, data: value }, meta: () => prefixed(meta()) }
}

/** Deletes or soft-deletes the locked row. The delete hooks run before and after that. */
async function removeRow(ctx: WriteContext, { resource, id }: { resource: Resource; id: string }): Promise<void> {
  if (resource.deletedAt === undefined) return removeForGood(ctx, { resource, id })
  const facts = hasDeleteHooks(resource)
    ? ({ operation: "delete", original: await readWholeRow(ctx, resource, id) } as const)
    : undefined
  if (facts) await runDeleteHooks(ctx, { resource, moment: "beforeDelete" }, facts)
  await ctx.connection.query(deleteStatement(ctx, { resource, id }, []))
  await markCopiesDeleted(ctx, resource, [id])
  if (facts) await runDeleteHooks(ctx, { resource, moment: "afterDelete" }, facts)
}

function deleteStatement(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  returning: readonly ResourceField[],
): Statement {
  const { deletedAt } = resource
  if (deletedAt === undefined) return deleteRow(resource, id, returning)
  const values = new Map<ResourceField, unknown>()
  values.set(deletedAt, stampChange(ctx, resource, values))
  return updateRow(resource, { id, values }, returning)
}

async function deleteInOneStatement(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  { selection }: WriteRights,
): Promise<Answer<DeleteResult<RecordData>>> {
  const { rows } = await runWriteStatement(ctx, deleteStatement(ctx, { resource, id }, selection.fields))
  if (rows[0] === undefined) throw recordNotFound(resource, id)
  return asDeleted(await answerRecord(ctx, { selection, operation: "write" }, rows[0]))
}

function prefixed(meta: ReturnType<typeof extendedMeta> | undefined): ReturnType<typeof extendedMeta> {
  return Object.fromEntries(Object.entries(meta ?? {}).map(([path, type]) => [`data.${path}`, type]))
}
