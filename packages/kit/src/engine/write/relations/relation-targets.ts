import type { ResourceField } from "../../../schema/compile/resource.ts"
import { ALWAYS, both, isAlways, predicateOf } from "../../../sql/filter/predicate.ts"
import { countMatching } from "../../../sql/read/select.ts"
import type { FieldValues } from "../../../sql/write/write.ts"
import { evaluateActiveAccess } from "../../access/authorize.ts"
import { rowsVisibleInAnyStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { missingTarget } from "../../database/database-errors.ts"
import { byId, recordKey } from "../../read/by-id.ts"
import type { NestedWrites } from "./nested.ts"

/**
 * Rejects a reference to a record that the caller may not read, with the same error as for a missing record. If the
 * caller may read every record of the target resource, only the foreign key checks the reference.
 */
export async function checkRelationTargets(
  ctx: OperationContext,
  values: FieldValues,
  nested?: NestedWrites,
): Promise<void> {
  const field = await findMissingTarget(ctx, values, nested)
  if (field) throw missingTarget(field)
}

/** Returns a field that points to a record that the caller may not read, if there is one. */
export async function findMissingTarget(
  ctx: OperationContext,
  values: FieldValues,
  nested?: NestedWrites,
): Promise<ResourceField | undefined> {
  // Fields whose target was created or found by this write are not checked: the caller may point to that record even if
  // they may not read it.
  const done = new Set(nested?.one.map(({ field }) => field))
  for (const [field, id] of values) {
    if (field.target === undefined || typeof id !== "string" || done.has(field)) continue
    if (recordKey(field.target, id) === ctx.parentKey) continue
    const access = await evaluateActiveAccess(ctx, field.target, { operation: "read" })
    const seen = field.target.workflow ? await rowsVisibleInAnyStage(ctx, field.target) : ALWAYS
    if (access.kind === "allow" && isAlways(seen)) continue
    const targets = both(byId(field.target, id), both(predicateOf(access), seen))
    const { rows } = await ctx.connection.query(countMatching(field.target, targets))
    if (rows[0]?.[0] !== 1) return field
  }
  return undefined
}
