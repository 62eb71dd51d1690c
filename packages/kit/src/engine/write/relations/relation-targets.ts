import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import type { MaybePromise } from "../../../schema/context/when-ready.ts"
import { ALWAYS, both, isAlways, predicateOf } from "../../../sql/filter/predicate.ts"
import { countMatching } from "../../../sql/read/select.ts"
import type { FieldValues } from "../../../sql/write/write.ts"
import { evaluateActiveAccess, ruleOf } from "../../access/authorize.ts"
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
export function findMissingTarget(
  ctx: OperationContext,
  values: FieldValues,
  nested?: NestedWrites,
): MaybePromise<ResourceField | undefined> {
  const references: Reference[] = []
  for (const [field, id] of values) {
    const { target } = field
    if (target === undefined || typeof id !== "string" || isTargetOf(nested, field)) continue
    if (!isOpenToAll(ctx, target)) references.push({ field, target, id })
  }
  return references.length === 0 ? undefined : findMissing(ctx, references)
}

/** A field that points to a record. */
interface Reference {
  readonly field: ResourceField
  readonly target: Resource
  readonly id: string
}

// True if this write has created or found the field's target. The caller may point to that record even if they may not
// read it.
function isTargetOf(nested: NestedWrites | undefined, field: ResourceField): boolean {
  return nested?.one.some((write) => write.field === field) ?? false
}

// True if every caller may read every record of the resource, so that no rule has to be evaluated.
function isOpenToAll(ctx: OperationContext, target: Resource): boolean {
  ctx.tables.requireUsable(target)
  return ruleOf(target, "read") === true && target.deletedAt === undefined && target.workflow === undefined
}

async function findMissing(
  ctx: OperationContext,
  references: readonly Reference[],
): Promise<ResourceField | undefined> {
  for (const { field, target, id } of references) {
    if (recordKey(target, id) === ctx.parentKey) continue
    const access = await evaluateActiveAccess(ctx, target, { operation: "read" })
    const seen = target.workflow ? await rowsVisibleInAnyStage(ctx, target) : ALWAYS
    if (access.kind === "allow" && isAlways(seen)) continue
    const targets = both(byId(target, id), both(predicateOf(access), seen))
    const { rows } = await ctx.connection.query(countMatching(target, targets))
    if (rows[0]?.[0] !== 1) return field
  }
  return undefined
}
