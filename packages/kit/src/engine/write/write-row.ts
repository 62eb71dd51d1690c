import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { RowRules } from "../../sql/write/ruled-statement.ts"
import type { WriteContext } from "../context/hook-context.ts"
import { type CompletedChange, type HookedChange, namedValues, runAfterChange, runBeforeChange } from "./hooks.ts"
import type { FieldInput } from "./input.ts"
import type { WriteSteps } from "./order.ts"
import { type NestedWrites, takeNestedWrites } from "./relations/nested.ts"
import { checkPartTargets } from "./relations/part-targets.ts"
import { checkRelationTargets } from "./relations/relation-targets.ts"
import { writeRelated, writeTargets } from "./relations/write-related.ts"

/** The change of one row, ready to be written. */
export interface RowChange {
  readonly resource: Resource
  readonly id: string
  /** The values to write. Nested writes add the ids of the records that they have created or found. */
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
  /** The values that the statement takes from elsewhere. Their references are checked like those of `values`. */
  readonly copied?: FieldInput
  /** The change as the `afterChange` hooks receive it. */
  readonly completed: CompletedChange
  /** Returns the statement that writes the row. It returns the row's id, and after it a verdict for each rule. */
  statement(rules: RowRules): Statement
  /** Writes the data that is derived from the row, after the row. */
  writeDerived?(ctx: WriteContext): Promise<void>
}

/**
 * Runs `beforeChange` on the values of a change that the server makes, such as a restore, and takes the nested writes
 * that the hooks have added.
 */
export async function prepareValues(
  ctx: WriteContext,
  change: HookedChange,
  initial: FieldInput,
): Promise<Pick<RowChange, "values" | "nested" | "completed">> {
  const values = await runBeforeChange(ctx, change, initial)
  const nested = takeNestedWrites(change.resource, values)
  return { values, nested, completed: { ...change, data: namedValues(values) } }
}

/** The steps that are the same in every write to one row. */
export const ROW_STEPS = {
  async writeTargets(ctx, { resource, id, values, nested, copied }) {
    if (nested) await writeTargets(ctx, nested, values)
    for (const written of copied ? [copied, values] : [values]) {
      await checkRelationTargets(ctx, written, nested)
      await checkPartTargets(ctx, written, { resource, id })
    }
  },
  async writeRows(ctx, change) {
    await ctx.connection.query(change.statement([]))
    await change.writeDerived?.(ctx)
  },
  async writeRelated(ctx, change) {
    if (change.nested) await writeRelated(ctx, change, change.nested)
  },
  runAfterHooks: (ctx, { completed, id }) => runAfterChange(ctx, completed, id),
} satisfies Partial<WriteSteps<unknown, RowChange, unknown>>
