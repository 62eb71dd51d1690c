import type { AccessOperation } from "../../schema/access/access.ts"
import { isWritable, type Resource } from "../../schema/compile/resource.ts"
import { followsLinks } from "../../sql/filter/followed-links.ts"
import { type Access, predicateOf } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type CallFacts, evaluateAccess, evaluateFieldRule } from "./authorize.ts"

// The operations, besides an update, that write records. Where one has no rule of its own, the rule of another one
// decides, or nobody may do it.
const OTHER_WRITES: readonly AccessOperation[] = ["create", "upload", "delete", "restore", "purge", "transition"]

/** The links in a table, from the end of one of the records that they join. */
interface LinksOfRecord {
  readonly table: string
  readonly id: string
}

/**
 * Returns the access by the update rule, if a rule that decides who may write the resource follows the links. A
 * change of such a link, from either end, changes who may write. Returns undefined if no rule follows them.
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

async function otherRules(
  ctx: OperationContext,
  resource: Resource,
  { id, input }: Pick<CallFacts, "id" | "input">,
): Promise<readonly Access[]> {
  const rules: Access[] = []
  for (const operation of OTHER_WRITES) {
    const facts = operation === "create" ? { operation, input } : { operation, id }
    if (typeof resource.access[operation] === "function") rules.push(await evaluateAccess(ctx, resource, facts))
  }
  for (const field of [...resource.fields.values()].filter(isWritable)) {
    const place = { resource, field }
    const { create, update } = field.access
    if (typeof create === "function") rules.push(await evaluateFieldRule(ctx, place, { operation: "create", input }))
    if (typeof update === "function")
      rules.push(await evaluateFieldRule(ctx, place, { operation: "update", id, input }))
  }
  return rules
}
