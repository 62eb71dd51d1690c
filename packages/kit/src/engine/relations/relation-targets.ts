import { ALWAYS, both, isAlways, predicateOf } from "../../sql/filter/predicate.ts"
import { countMatching } from "../../sql/read/select.ts"
import type { FieldValues } from "../../sql/write/write.ts"
import { judgeRows } from "../access/authorize.ts"
import { seenRows } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { missingTarget } from "../database/database-errors.ts"
import { byId, recordKey } from "../read/by-id.ts"
import type { NestedWrites } from "./nested.ts"

/**
 * Refuses a link to a record that the caller may not read, exactly as a link to one that does not exist.
 * Where the caller may read every record of the target, the foreign key does that work alone.
 */
export async function checkRelationTargets(
  ctx: OperationContext,
  values: FieldValues,
  nested?: NestedWrites,
): Promise<void> {
  // What the write itself has made or found, the caller may point to, whether they may read it or not.
  const done = new Set(nested?.one.map(({ field }) => field))
  for (const [field, id] of values) {
    if (field.target === undefined || typeof id !== "string" || done.has(field)) continue
    if (recordKey(field.target, id) === ctx.parent) continue
    const access = await judgeRows(ctx, field.target, { operation: "read" })
    const seen = field.target.workflow ? await seenRows(ctx, field.target) : ALWAYS
    if (access.kind === "allow" && isAlways(seen)) continue
    const targets = both(byId(field.target, id), both(predicateOf(access), seen))
    const readable = countMatching(field.target, targets)
    const { rows } = await ctx.connection.query(readable)
    if (rows[0]?.[0] !== 1) throw missingTarget(field)
  }
}
