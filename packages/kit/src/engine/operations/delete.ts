import type { Resource } from "../../schema/resource.ts"
import { deleteRow } from "../../sql/write.ts"
import type { RecordData } from "../../wire/operations.ts"
import type { DeleteResult } from "../../wire/results.ts"
import { type Answer, answer } from "../answer.ts"
import { findableId, recordNotFound } from "../by-id.ts"
import type { WriteContext } from "../hook-context.ts"
import type { OperationContext } from "../operation-context.ts"
import { type extendedMeta, toRecord } from "../records.ts"
import { checkRevision, type ExpectedRevision } from "../revision.ts"
import { hasDeleteHooks, hasWriteHooks, readWholeRow, runDeleteHooks } from "../write-hooks.ts"
import { lockForWrite, readWrittenRow, resolveWriteRights, type WriteRights } from "../write-rights.ts"

/** Removes one record under the delete rule and answers it as the caller may read it. */
export async function deleteRecord(
  ctx: OperationContext,
  resource: Resource,
  target: { id: unknown; expected?: ExpectedRevision | undefined },
): Promise<Answer<DeleteResult<RecordData>>> {
  const rights = await resolveWriteRights(ctx, resource, { operation: "delete", id: String(target.id) })
  const id = findableId(resource, target.id)
  const isPlain = rights.areUnconditional && target.expected === undefined && !hasWriteHooks(resource)
  if (ctx.hasShortcuts && isPlain) return deleteAtOnce(ctx, { resource, id }, rights)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockForWrite(inner, { resource, id }, rights)
    await checkRevision(inner, { resource, id }, target.expected)
    const deleted = await readWrittenRow(inner, { resource, id }, rights)
    await removeRow(inner, resource, id)
    const { value, meta } = deleted
    return { ...deleted, value: { success: true, data: value }, meta: () => prefixed(meta()) }
  })
}

async function removeRow(ctx: WriteContext, resource: Resource, id: string): Promise<void> {
  const remove = () => ctx.connection.query(deleteRow(resource, id, []))
  if (!hasDeleteHooks(resource)) return void (await remove())
  const facts = { operation: "delete", original: await readWholeRow(ctx, resource, id) } as const
  await runDeleteHooks(ctx, { resource, moment: "beforeDelete" }, facts)
  await remove()
  await runDeleteHooks(ctx, { resource, moment: "afterDelete" }, facts)
}

async function deleteAtOnce(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  { selection }: WriteRights,
): Promise<Answer<DeleteResult<RecordData>>> {
  const { rows } = await ctx.connection.query(deleteRow(resource, id, selection.fields))
  if (rows[0] === undefined) throw recordNotFound(resource, id)
  return answer({ success: true, data: toRecord(selection, rows[0]) }, selection, "data.")
}

function prefixed(meta: ReturnType<typeof extendedMeta> | undefined): ReturnType<typeof extendedMeta> {
  return Object.fromEntries(Object.entries(meta ?? {}).map(([path, type]) => [`data.${path}`, type]))
}
