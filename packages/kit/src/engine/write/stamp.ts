import type { Resource } from "../../schema/compile/resource.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { FieldInput } from "./input.ts"

/**
 * Adds the update time to the values of a change. If the resource keeps versions, also adds the id of the user, for the
 * new version. The row of a stage copy does not store that user; only the row of the working copy does. Returns the
 * update time.
 */
export function stampChange(ctx: OperationContext, resource: Resource, values: FieldInput): Date {
  const { updatedAt, versions, working } = resource
  const now = ctx.now()
  if (updatedAt) values.set(updatedAt, now)
  if (versions && working === undefined) values.set(versions.user, userOf(ctx))
  return now
}

/**
 * Like `stampChange`, for an update. An SQL UPDATE has to set at least one column, so if there are no values, the id is
 * set to its own value.
 */
export function stampUpdate(
  ctx: OperationContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  values: FieldInput,
): void {
  stampChange(ctx, resource, values)
  if (values.size === 0) values.set(resource.id, id)
}

/** Returns the id of the signed-in user in the form that versions store, or null if nobody is signed in. */
export function userOf({ session }: OperationContext): string | null {
  return session?.user.id ?? null
}
