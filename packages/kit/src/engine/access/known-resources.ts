import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { namesLike } from "../../wire/errors/did-you-mean.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { judgeByRule, judgeField } from "./authorize.ts"

/** Whether an answer may name the resource to the caller: the rules let them read or create some of its records. */
export async function mayKnow(ctx: OperationContext, resource: Resource): Promise<boolean> {
  const read = await judgeByRule(ctx, resource, { operation: "read" })
  if (read.kind !== "deny") return true
  return (await judgeByRule(ctx, resource, { operation: "create", input: {} })).kind !== "deny"
}

/** Whether an answer may name the field, and its resource, to the caller: they may read both in some rows. */
export async function mayKnowField(ctx: OperationContext, resource: Resource, field: ResourceField): Promise<boolean> {
  const rows = await judgeByRule(ctx, resource, { operation: "read" })
  if (rows.kind === "deny") return false
  return (await judgeField(ctx, { resource, field }, { operation: "read" })).kind !== "deny"
}

/** A sentence that offers the resource with the closest name among those that the caller may know; empty if there is none. */
export async function nearestResource(
  ctx: OperationContext,
  name: string,
  known: ReadonlyMap<string, Resource>,
): Promise<string> {
  for (const candidate of namesLike(name, known.keys())) {
    const resource = known.get(candidate)
    if (resource && (await mayKnow(ctx, resource))) return ` Did you mean "${candidate}"?`
  }
  return ""
}
