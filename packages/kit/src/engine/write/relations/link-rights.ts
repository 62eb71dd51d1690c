import type { ManyToMany } from "../../../schema/compile/resource.ts"
import { predicateOf } from "../../../sql/filter/predicate.ts"
import { denied } from "../../access/authorize.ts"
import { accessByLinks } from "../../access/link-rules.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { groupByPredicate, matchingIds } from "../bulk/bulk-rows.ts"

/**
 * Checks the right to link or unlink these records at the other end of a many-to-many relation. If a rule of their
 * collection follows the links, the caller must be allowed to update the record. Otherwise a link needs no more than the
 * right to read it.
 */
export async function checkLinkRights(
  ctx: OperationContext,
  relation: ManyToMany,
  ids: readonly string[],
): Promise<void> {
  const refused = await refusedLinks(ctx, relation, ids)
  if (refused.size > 0) throw denied(ctx.session, "update this related record")
}

/** Returns those of these records that the caller may neither link nor unlink. */
export async function refusedLinks(
  ctx: OperationContext,
  { target, link }: ManyToMany,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ctx.isSystem) return new Set()
  const ruled = []
  const turn = new TimeSlice()
  for (const id of ids) {
    if (turn.isOver) await turn.next()
    const access = await accessByLinks(ctx, target, { table: link.table, id })
    if (access) ruled.push({ id, predicate: predicateOf(access) })
  }
  const refused = new Set(ruled.map(({ id }) => id))
  for (const { predicate, ids: alike } of await groupByPredicate(ruled)) {
    for (const id of await matchingIds(ctx, { resource: target, ids: alike }, predicate)) refused.delete(id)
  }
  return refused
}
