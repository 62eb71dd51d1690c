import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { namesLike } from "../../wire/errors/did-you-mean.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { evaluateAccess, evaluateFieldRule } from "./authorize.ts"

/**
 * True if the rules let the caller read or create some of the resource's records, so that a response may contain the
 * resource's name.
 */
export async function mayNameResource(ctx: OperationContext, resource: Resource): Promise<boolean> {
  const read = await evaluateAccess(ctx, resource, { operation: "read" })
  if (read.kind !== "deny") return true
  return (await evaluateAccess(ctx, resource, { operation: "create", input: {} })).kind !== "deny"
}

/**
 * True if the rules let the caller read the resource and the field in some rows, so that a response may contain the
 * names of both the resource and the field.
 */
export async function mayNameField(ctx: OperationContext, resource: Resource, field: ResourceField): Promise<boolean> {
  const rows = await evaluateAccess(ctx, resource, { operation: "read" })
  if (rows.kind === "deny") return false
  return (await evaluateFieldRule(ctx, { resource, field }, { operation: "read" })).kind !== "deny"
}

/**
 * Returns the hint "Did you mean …?" with the most similar name of a resource that the caller may know about, or an
 * empty string.
 */
export async function suggestResource(
  ctx: OperationContext,
  name: string,
  known: ReadonlyMap<string, Resource>,
): Promise<string> {
  for (const candidate of namesLike(name, known.keys())) {
    const resource = known.get(candidate)
    if (resource && (await mayNameResource(ctx, resource))) return ` Did you mean "${candidate}"?`
  }
  return ""
}
