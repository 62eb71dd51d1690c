import type { Statement } from "../../../ports/database.ts"
import type { Resource, ResourceField, StageCopies } from "../../../schema/compile/resource.ts"
import { writableStageCopy } from "../../../schema/workflow/stage-copies.ts"
import { appendTouchedRecords } from "../../../sql/changes/changes.ts"
import { deletePendingTransition } from "../../../sql/stages/pending-transitions.ts"
import { copyDeletedAt, copyToStage, deleteLinksOfCopies, withdrawFromStage } from "../../../sql/stages/stage-rows.ts"
import { updateAnyRow } from "../../../sql/write/write.ts"
import { deleteCopies } from "../../../sql/write/write-copy.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { userOf } from "../stamp.ts"

/** Returns the tables that hold copies of a resource's records: one table for each stage except the initial stage. */
function copiesOf({ schema }: OperationContext, { table }: Resource): readonly StageCopies[] {
  return schema.stages.filter(({ resource }) => resource.working?.table === table)
}

/**
 * Returns the resource for writing the copies of records in this stage. Throws for the initial stage, which has no
 * copies.
 */
export function writableCopyIn(ctx: OperationContext, resource: Resource, stage: string): Resource {
  const copies = copiesOf(ctx, resource).find((each) => each.stage === stage)
  if (copies === undefined) throw new Error(`"${resource.name}" has no copies in a stage "${stage}".`)
  return writableStageCopy(resource, copies)
}

/** Copies the record, as it is now, into the table of this stage. */
export async function updateStageCopy(ctx: OperationContext, resource: Resource, moved: StagedRecord): Promise<void> {
  const { id, stage } = moved
  for (const copies of copiesOf(ctx, resource)) {
    if (copies.stage === stage) await run(ctx, copyToStage(resource, copies, [id]))
  }
}

interface StagedRecord {
  readonly id: string
  readonly stage: string
}

/** Deletes the copies of the record in these stages. */
export async function withdraw(
  ctx: OperationContext,
  resource: Resource,
  { id, stages }: { readonly id: string; readonly stages: readonly string[] },
): Promise<void> {
  for (const copies of copiesOf(ctx, resource)) {
    if (stages.includes(copies.stage)) await run(ctx, withdrawFromStage(resource, copies, [id]))
  }
}

/** Deletes a record's copies in all stages and its pending transition, because the record is deleted for good. */
export async function removeCopies(ctx: OperationContext, resource: Resource, id: string): Promise<void> {
  if (resource.workflow) await ctx.connection.query(deletePendingTransition(resource, id))
  for (const copies of copiesOf(ctx, resource)) await run(ctx, withdrawFromStage(resource, copies, [id]))
}

/**
 * Deletes the copies of locked records in one stage. Like every write, this counts in the revisions and versions of the
 * records. `copy` is the resource of that stage's table.
 */
export async function deleteStageCopies(ctx: OperationContext, copy: Resource, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // The links are deleted after the copies, because the versions of the removal contain the links.
  await ctx.connection.query(deleteCopies(copy, { ids, user: userOf(ctx), at: ctx.now() }))
  for (const copies of ctx.schema.stages) {
    if (copies.resource.table === copy.table) await run(ctx, deleteLinksOfCopies(copy, copies, ids))
  }
}

/**
 * Deletes the copy of a record in one stage, because a record to which it refers is deleted. `copy` is the resource of
 * that stage's table.
 */
export async function withdrawCopy(ctx: OperationContext, copy: Resource, id: string): Promise<void> {
  for (const copies of ctx.schema.stages) {
    if (copies.resource.table === copy.table) await run(ctx, withdrawFromStage(copy, copies, [id]))
  }
  await ctx.connection.query(appendTouchedRecords(copy, [id]))
}

/**
 * Sets a field in the copy of a record in a stage. The copy keeps the revision and update time of the record that was
 * copied.
 */
export async function writeFieldInCopy(
  { connection }: OperationContext,
  copy: Resource,
  { id, field, value }: { readonly id: string; readonly field: ResourceField; readonly value: unknown },
): Promise<void> {
  const values = new Map<ResourceField, unknown>([[field, value]])
  await connection.query(updateAnyRow({ ...copy, revision: undefined }, { id, values }))
}

/** Hides the copies of records that were soft-deleted, and makes the copies visible again after a restore. */
export async function markCopiesDeleted(
  ctx: OperationContext,
  resource: Resource,
  ids: readonly string[],
): Promise<void> {
  for (const copies of copiesOf(ctx, resource)) await run(ctx, [copyDeletedAt(resource, copies, ids)])
}

async function run({ connection }: OperationContext, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await connection.query(statement)
}
