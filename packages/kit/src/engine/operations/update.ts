import type { Resource } from "../../schema/compile/resource.ts"
import { keepsLinks } from "../../sql/versions/write-versions.ts"
import { updateRow, updateRowReturningOld } from "../../sql/write/write.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { writtenStage } from "../access/stage.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { canonicalId, recordNotFound, requireId } from "../read/by-id.ts"
import { answerRecord } from "../read/read-hooks.ts"
import { checkRevision, type ExpectedRevision } from "../read/revision.ts"
import {
  hasChangeHooks,
  hasWriteHooks,
  namedValues,
  parseHookedInput,
  readWholeRow,
  runAfterChange,
} from "../write/hooks.ts"
import { type FieldInput, parseUpdateInput } from "../write/input.ts"
import { type NestedWrites, takeNestedWrites } from "../write/relations/nested.ts"
import { checkRelationTargets } from "../write/relations/relation-targets.ts"
import { writeRelated, writeTargets } from "../write/relations/write-related.ts"
import { checkWrittenRow, lockForWrite, readWrittenRow, resolveWriteRights, type WriteRights } from "../write/rights.ts"
import { stampChange } from "../write/stamp.ts"
import { withRetries } from "../write/with-retries.ts"
import { runWriteStatement } from "../write/write-statement.ts"
import { inputForRules } from "./create.ts"
import { updateCopy } from "./update-copy.ts"

/** Updates one record. The update rule is evaluated before the write, and again on the updated row. */
export function updateRecord(
  ctx: OperationContext,
  resource: Resource,
  change: UpdateInput,
): Promise<Answer<RecordData>> {
  const stage = writtenStage(resource, change.stage)
  if (stage !== undefined) return updateCopy(ctx, resource, { ...change, stage })
  return withRetries(ctx, (attempt) => updateOnce(attempt, resource, change))
}

interface UpdateInput {
  readonly id: unknown
  /** The workflow stage whose copy of the record is updated. Default: the working copy is updated. */
  readonly stage?: unknown
  readonly data: unknown
  readonly expected?: ExpectedRevision | undefined
}

async function updateOnce(ctx: OperationContext, resource: Resource, change: UpdateInput): Promise<Answer<RecordData>> {
  const facts = {
    operation: "update",
    id: canonicalId(resource, change.id),
    input: inputForRules(change.data),
  } as const
  const rights = await resolveWriteRights(ctx, resource, facts)
  const id = requireId(resource, change.id)
  if (hasChangeHooks(resource)) {
    return ctx.connection.transaction((connection) =>
      updateWithHooks({ ...ctx, connection }, { ...change, resource, id }, rights),
    )
  }
  const values = await parseUpdateInput(ctx, resource, change.data)
  const nested = takeNestedWrites(values)
  touch(ctx, resource, { id, values })
  const { expected } = change
  if (nested) return updateWithRelated(ctx, { resource, id, values, expected, nested }, rights)
  const isPlain = rights.areUnconditional && expected === undefined && !hasWriteHooks(resource)
  if (ctx.hasShortcuts && isPlain) return updateInOneStatement(ctx, { resource, id, values }, rights)
  return ctx.connection.transaction((connection) =>
    updateUnderLock({ ...ctx, connection }, { resource, id, values, expected }, rights),
  )
}

interface RecordUpdate {
  readonly resource: Resource
  readonly id: string
  readonly values: FieldInput
  readonly expected?: ExpectedRevision | undefined
}

// Adds the values that the server sets on every update. An SQL UPDATE has to set at least one column, so if there are
// no values, the id is set to its own value.
function touch(ctx: OperationContext, resource: Resource, { id, values }: { id: string; values: FieldInput }): void {
  stampChange(ctx, resource, values)
  if (values.size === 0) values.set(resource.id, id)
}

async function updateWithHooks(
  ctx: WriteContext,
  { resource, id, data, expected }: Omit<RecordUpdate, "values"> & { data: unknown },
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  await lockForWrite(ctx, { resource, id }, rights)
  await checkRevision(ctx, { resource, id, expected }, rights)
  const change = { resource, operation: "update", data, original: await readWholeRow(ctx, resource, id) } as const
  const values = await parseHookedInput(ctx, change)
  const nested = takeNestedWrites(values)
  const written = namedValues(values)
  touch(ctx, resource, { id, values })
  await storeChange(ctx, { resource, id, values, nested })
  await checkWrittenRow(ctx, { resource, id }, rights)
  await runAfterChange(ctx, { ...change, data: written }, id)
  return readWrittenRow(ctx, { resource, id }, rights)
}

async function updateUnderLock(
  ctx: OperationContext,
  change: RecordUpdate,
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  await checkRelationTargets(ctx, change.values)
  await lockForWrite(ctx, change, rights)
  await checkRevision(ctx, change, rights)
  await ctx.connection.query(updateRow(change.resource, change, []))
  await checkWrittenRow(ctx, change, rights)
  return readWrittenRow(ctx, change, rights)
}

// Updates a record and its related records. The rules of the record itself are evaluated before related records are
// written.
function updateWithRelated(
  ctx: OperationContext,
  { nested, ...change }: RecordUpdate & { nested: NestedWrites },
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockForWrite(inner, change, rights)
    await checkRevision(inner, change, rights)
    await storeChange(inner, { ...change, nested })
    await checkWrittenRow(inner, change, rights)
    return readWrittenRow(inner, change, rights)
  })
}

// Writes the records to which the updated record refers, then the updated record, then the records that refer to it.
async function storeChange(
  ctx: OperationContext,
  { nested, ...change }: RecordUpdate & { nested: NestedWrites | undefined },
): Promise<void> {
  if (nested) await writeTargets(ctx, nested, change.values)
  await checkRelationTargets(ctx, change.values, nested)
  await ctx.connection.query(updateRow(change.resource, change, []))
  if (nested) await writeRelated(ctx, change, nested)
}

// Updates a record in one SQL statement. No rule depends on the row, so the update needs no lock and no check
// afterwards.
async function updateInOneStatement(
  ctx: OperationContext,
  change: RecordUpdate,
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  const { selection } = rights
  await checkRelationTargets(ctx, change.values)
  const update = ctx.returnsOldRows ? updateRowReturningOld : updateRow
  const { rows } = await runWriteStatement(ctx, update(change.resource, change, selection.fields))
  if (rows[0]) return answerRecord(ctx, { selection, operation: "write" }, rows[0])
  if (!keepsLinks(change.resource)) throw recordNotFound(change.resource, change.id)
  // No row was updated, but the record may exist: the statement skips a row that another transaction has changed while
  // the statement waited for it. So the update runs again, under a lock.
  return ctx.connection.transaction((connection) => updateUnderLock({ ...ctx, connection }, change, rights))
}
