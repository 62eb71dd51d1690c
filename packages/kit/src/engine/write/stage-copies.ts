import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField, StageCopies } from "../../schema/compile/resource.ts"
import { writtenCopy } from "../../schema/workflow/stage-copies.ts"
import { forgetPendingMove } from "../../sql/stages/pending-moves.ts"
import { copyToStage, markCopies, withdrawFromStage } from "../../sql/stages/stage-rows.ts"
import { updateKeptRow } from "../../sql/write/write.ts"
import type { OperationContext } from "../context/operation-context.ts"

/** The copies of a resource's records, one for each stage but the initial one. */
function copiesOf({ schema }: OperationContext, { table }: Resource): readonly StageCopies[] {
  return schema.stages.filter(({ resource }) => resource.working?.table === table)
}

/** The copies in one of the stages but the initial one, as they are written. */
export function copyIn(ctx: OperationContext, resource: Resource, stage: string): Resource {
  const copies = copiesOf(ctx, resource).find((each) => each.stage === stage)
  if (copies === undefined) throw new Error(`"${resource.name}" has no copies in a stage "${stage}".`)
  return writtenCopy(resource, copies)
}

/** Shows the record in the stage as it is now. */
export async function showInStage(ctx: OperationContext, resource: Resource, moved: MovedRecord): Promise<void> {
  const { id, stage } = moved
  for (const copies of copiesOf(ctx, resource)) {
    if (copies.stage === stage) await run(ctx, copyToStage(resource, copies, [id]))
  }
}

interface MovedRecord {
  readonly id: string
  readonly stage: string
}

/** Takes the record out of these stages. */
export async function withdraw(
  ctx: OperationContext,
  resource: Resource,
  { id, stages }: { readonly id: string; readonly stages: readonly string[] },
): Promise<void> {
  for (const copies of copiesOf(ctx, resource)) {
    if (stages.includes(copies.stage)) await run(ctx, withdrawFromStage(resource, copies, [id]))
  }
}

/** A record that goes for good takes all its copies along, and a move that waits for it. */
export async function removeCopies(ctx: OperationContext, resource: Resource, id: string): Promise<void> {
  if (resource.workflow) await ctx.connection.query(forgetPendingMove(resource, id))
  for (const copies of copiesOf(ctx, resource)) await run(ctx, withdrawFromStage(resource, copies, [id]))
}

/** Takes a record out of the stage of this copy. */
export async function withdrawCopy(ctx: OperationContext, copy: Resource, id: string): Promise<void> {
  for (const copies of ctx.schema.stages) {
    if (copies.resource.table === copy.table) await run(ctx, withdrawFromStage(copy, copies, [id]))
  }
}

/** Empties a field of a copy, which tells the revision and the time of what was copied as before. */
export async function emptyInCopy(
  { connection }: OperationContext,
  copy: Resource,
  { id, field }: { readonly id: string; readonly field: ResourceField },
): Promise<void> {
  const values = new Map<ResourceField, unknown>([[field, null]])
  await connection.query(updateKeptRow({ ...copy, revision: undefined }, { id, values }))
}

/** The copies of deleted records that are kept are hidden with them, and come back with them. */
export async function followDeletion(ctx: OperationContext, resource: Resource, ids: readonly string[]): Promise<void> {
  for (const copies of copiesOf(ctx, resource)) await run(ctx, [markCopies(resource, copies, ids)])
}

async function run({ connection }: OperationContext, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await connection.query(statement)
}
