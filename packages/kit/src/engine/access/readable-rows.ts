import type { Resource } from "../../schema/compile/resource.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { activeRows, both, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { readIncludeDeleted, type UncheckedOptions } from "../context/read-options.ts"
import { authorize, denied, evaluateAccess } from "./authorize.ts"

/**
 * Returns the rows that the caller may read. With `includeDeleted`, this includes soft-deleted rows that the caller may
 * delete.
 */
export function readableRows(
  ctx: OperationContext,
  resource: Resource,
  { given, id }: ReadRows,
): MaybePromise<Predicate> {
  if (readIncludeDeleted(resource, given)) return rowsWithDeleted(ctx, resource, id)
  return whenReady(authorize(ctx, resource, { operation: "read", id }), predicateOf)
}

interface ReadRows {
  readonly given: UncheckedOptions
  readonly id?: string
}

async function rowsWithDeleted(ctx: OperationContext, resource: Resource, id: string | undefined): Promise<Predicate> {
  const read = await evaluateAccess(ctx, resource, { operation: "read", id })
  if (read.kind === "deny") throw denied(ctx.session, `read ${resource.name}`)
  const remove = await authorize(ctx, resource, { operation: "delete", id })
  if (remove.kind === "allow") return predicateOf(read)
  return both(predicateOf(read), { kind: "any", parts: [activeRows(resource), predicateOf(remove)] })
}
