import type { ManyToMany, ResourceField } from "../../../schema/compile/resource.ts"
import type { NestedMany } from "../../../schema/fields/relation.ts"
import { isSameLink, type LinkChange, type Predicate } from "../../../sql/filter/predicate.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { missingTarget } from "../../database/database-errors.ts"
import { findByUnique, readableIds } from "./find-targets.ts"
import type { NestedWrites } from "./nested.ts"

/** A relation of the written record, and how the write changes its links. */
export interface ChangedLinks {
  readonly relation: ManyToMany
  readonly change: LinkChange
}

/**
 * Returns how the write changes those many-to-many links of its record that the rules follow. Links to records that the
 * write creates are left out: no record is allowed because of the records that are nested in it. Throws if a linked
 * record is hidden from the caller, as the write of the links does later, because the verdict of a rule must not reveal
 * anything about such a record.
 */
export async function writtenLinks(
  ctx: OperationContext,
  { many }: NestedWrites,
  rules: readonly Predicate[],
): Promise<readonly ChangedLinks[]> {
  const changed: ChangedLinks[] = []
  for (const { field, relation, input } of many) {
    if (relation.kind !== "manyToMany" || !rules.some((rule) => followsOwnLinks(rule, relation))) continue
    changed.push({ relation, change: await changeOf(ctx, { field, relation }, input) })
  }
  return changed
}

// True if the rule is about the links of the written record itself.
function followsOwnLinks(rule: Predicate, relation: ManyToMany): boolean {
  switch (rule.kind) {
    case "all":
    case "any":
      return rule.parts.some((part) => followsOwnLinks(part, relation))
    case "not":
      return followsOwnLinks(rule.part, relation)
    case "some":
      return isSameLink(relation, rule.relation)
    default:
      return false
  }
}

async function changeOf(
  ctx: OperationContext,
  { field, relation: { target } }: { readonly field: ResourceField; readonly relation: ManyToMany },
  input: NestedMany,
): Promise<LinkChange> {
  const removed = [...input.disconnect, ...input.delete]
  const added = [...(input.set ?? []).filter((id) => !removed.includes(id)), ...input.connect]
  for (const [index, { where }] of input.connectOrCreate.entries()) {
    const path = `${field.name}.connectOrCreate.${index}.where`
    const found = await findByUnique(ctx, target, { where, path })
    if (found !== undefined) added.push(found)
  }
  const readable = await readableIds(ctx, target, added)
  if (!added.every((id) => readable.has(id))) throw missingTarget(field)
  return { added, removed: input.set ? "all" : removed }
}
