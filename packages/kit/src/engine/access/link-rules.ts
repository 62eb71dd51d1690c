import type { AccessOperation } from "../../schema/access/access.ts"
import { isWritable, type Resource } from "../../schema/compile/resource.ts"
import { followsLinks } from "../../sql/filter/followed-links.ts"
import { type Access, predicateOf } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type CallFacts, evaluateAccess, evaluateFieldRule } from "./authorize.ts"

// The operations, besides an update, that write an existing record. Where one has no rule of its own, the rule of an
// update decides, or nobody may do it.
const OTHER_WRITES: readonly AccessOperation[] = ["delete", "restore", "purge", "transition"]

/** The links in a table, from the end of one of the records that they join. */
interface LinksOfRecord {
  readonly table: string
  readonly id: string
}

/**
 * Returns the access by the update rule, if a rule that decides who may write the record follows the links. Whoever
 * changes such a link, from either end, changes who may write the record. Returns undefined if no rule follows them.
 */
export async function accessByLinks(
  ctx: OperationContext,
  resource: Resource,
  { table, id }: LinksOfRecord,
): Promise<Access | undefined> {
  const facts = { operation: "update", id, input: {} } as const
  const update = await evaluateAccess(ctx, resource, facts)
  const isFollowed = (access: Access) => followsLinks(predicateOf(access), table)
  return isFollowed(update) || (await otherRules(ctx, resource, facts)).some(isFollowed) ? update : undefined
}

async function otherRules(ctx: OperationContext, resource: Resource, facts: CallFacts): Promise<readonly Access[]> {
  const rules: Access[] = []
  for (const operation of OTHER_WRITES) {
    const isFunction = typeof resource.access[operation] === "function"
    if (isFunction) rules.push(await evaluateAccess(ctx, resource, { operation, id: facts.id }))
  }
  for (const field of resource.fields.values()) {
    const isFunction = isWritable(field) && typeof field.access.update === "function"
    if (isFunction) rules.push(await evaluateFieldRule(ctx, { resource, field }, facts))
  }
  return rules
}
