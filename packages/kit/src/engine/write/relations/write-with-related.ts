import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { FieldInput } from "../input.ts"
import type { NestedWrites } from "./nested.ts"
import { checkRelationTargets } from "./relation-targets.ts"
import { writeRelated, writeTargets } from "./write-related.ts"

interface WrittenRow {
  readonly resource: Resource
  readonly id: string
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
}

/**
 * Writes a row and its related records: first the records that the row points to, then the row, then the records that
 * point to it.
 */
export async function writeWithRelated(
  ctx: OperationContext,
  { resource, id, values, nested }: WrittenRow,
  statement: () => Statement,
): Promise<void> {
  if (nested) await writeTargets(ctx, nested, values)
  await checkRelationTargets(ctx, values, nested)
  await ctx.connection.query(statement())
  if (nested) await writeRelated(ctx, { resource, id }, nested)
}
