import type { RowValues, Statement } from "../../../ports/database.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { keepsLinks } from "../../../sql/versions/write-versions.ts"
import { deleteRow, updateRow } from "../../../sql/write/write.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { DeleteResult } from "../../../wire/results/results.ts"
import { writtenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { canonicalId, recordNotFound, requireId } from "../../read/by-id.ts"
import { answerRecord } from "../../read/read-hooks.ts"
import type { extendedMeta } from "../../read/records.ts"
import { type AddressedRecord, checkRevision } from "../../read/revision.ts"
import { affectsContent } from "../../search/index/content.ts"
import { softRemovalOf } from "../../write/bulk/remove-rows.ts"
import { hasWriteHooks } from "../../write/hooks.ts"
import { type RemovalSteps, removeInTransaction } from "../../write/order.ts"
import { hasReferrers } from "../../write/relations/referrers.ts"
import { type RemovedRow, removalOfRow } from "../../write/relations/remove-row.ts"
import {
  answerWrittenRow,
  lockForWrite,
  readWrittenRow,
  resolveWriteRights,
  selectWrittenRow,
  type WriteRights,
} from "../../write/rights.ts"
import { stampChange } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"
import { runWriteStatement } from "../../write/write-statement.ts"
import { deleteCopy } from "./delete-copy.ts"

/**
 * Deletes one record if the delete rule allows it, and returns those fields of the record that are visible to the
 * caller. With a stage, deletes only the copy of the record in that stage.
 */
export function deleteRecord(
  ctx: OperationContext,
  resource: Resource,
  target: DeleteInput,
): Promise<Answer<DeleteResult<RecordData>>> {
  const stage = writtenStage(resource, target.stage)
  if (stage === undefined) return withRetries(ctx, (attempt) => deleteOnce(attempt, resource, target))
  return withRetries(ctx, async (attempt) => asDeleted(await deleteCopy(attempt, resource, { ...target, stage })))
}

interface DeleteInput extends AddressedRecord {
  /** The workflow stage from which the record is withdrawn. Default: the record is deleted. */
  readonly stage?: unknown
}

async function deleteOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, expected }: AddressedRecord,
): Promise<Answer<DeleteResult<RecordData>>> {
  const rights = await resolveWriteRights(ctx, resource, { operation: "delete", id: canonicalId(resource, asked) })
  const row = { resource, id: requireId(resource, asked) }
  const isPlain = rights.areUnconditional && expected === undefined && !hasWriteHooks(resource)
  if (ctx.hasShortcuts && isPlain && canDeleteInOneStatement(ctx, resource))
    return deleteInOneStatement(ctx, row, rights)
  const remove = resource.deletedAt ? softDelete : hardDelete
  return asDeleted(await remove(ctx, { ...row, expected }, rights))
}

interface RecordRow {
  readonly resource: Resource
  readonly id: string
}

type Deletion = RecordRow & Pick<AddressedRecord, "expected">

// The record is read after the delete, so that the response has the time of deletion.
function softDelete(ctx: OperationContext, deletion: Deletion, rights: WriteRights): Promise<Answer<RecordData>> {
  const { resource, id } = deletion
  return removeInTransaction(ctx, {
    ...softRemovalOf(resource),
    lock: async (inner) => {
      await lockForWrite(inner, deletion, rights)
      return [id]
    },
    checkRevision: (inner) => checkRevision(inner, deletion, rights),
    answer: (inner) => readWrittenRow(inner, deletion, rights),
  })
}

// The record is read before the delete, and the read hooks run on it after the delete, as on every response.
function hardDelete(ctx: OperationContext, deletion: Deletion, rights: WriteRights): Promise<Answer<RecordData>> {
  const removal = removalOfRow(deletion)
  const steps: RemovalSteps<void, ReadRow, Answer<RecordData>> = {
    ...removal,
    lock: (inner) => lockForWrite(inner, deletion, rights),
    checkRevision: (inner) => checkRevision(inner, deletion, rights),
    prepare: async (inner) => {
      const row = await selectWrittenRow(inner, deletion, rights)
      return { ...(await removal.prepare(inner)), row }
    },
    answer: (inner, { row }) => answerWrittenRow(inner, { id: deletion.id, row }, rights),
  }
  return removeInTransaction(ctx, steps)
}

/** A row that is being removed, as it was read for the response. */
interface ReadRow extends RemovedRow {
  readonly row: RowValues | undefined
}

// True if one SQL statement can delete a record. It cannot if the collection keeps versions: while the statement waits
// for the row, another transaction may write a version that is not in the statement's snapshot. That version would
// outlive the record.
function canDeleteInOneStatement({ schema }: OperationContext, resource: Resource): boolean {
  if (affectsContent(schema, resource)) return false
  if (resource.deletedAt) return !keepsLinks(resource) && resource.workflow === undefined
  return resource.versions === undefined && !hasReferrers(schema, resource)
}

function asDeleted(deleted: Answer<RecordData>): Answer<DeleteResult<RecordData>> {
  const { value, meta } = deleted
  return { ...deleted, value: { success: true, data: value }, meta: () => prefixed(meta()) }
}

function prefixed(meta: ReturnType<typeof extendedMeta> | undefined): ReturnType<typeof extendedMeta> {
  return Object.fromEntries(Object.entries(meta ?? {}).map(([path, type]) => [`data.${path}`, type]))
}

async function deleteInOneStatement(
  ctx: OperationContext,
  { resource, id }: RecordRow,
  { selection }: WriteRights,
): Promise<Answer<DeleteResult<RecordData>>> {
  const { rows } = await runWriteStatement(ctx, deleteStatement(ctx, { resource, id }, selection.fields))
  if (rows[0] === undefined) throw recordNotFound(resource, id)
  return asDeleted(await answerRecord(ctx, { selection, operation: "write" }, rows[0]))
}

function deleteStatement(
  ctx: OperationContext,
  { resource, id }: RecordRow,
  returning: readonly ResourceField[],
): Statement {
  const { deletedAt } = resource
  if (deletedAt === undefined) return deleteRow(resource, id, returning)
  const values = new Map<ResourceField, unknown>()
  values.set(deletedAt, stampChange(ctx, resource, values))
  return updateRow(resource, { id, values }, returning)
}
