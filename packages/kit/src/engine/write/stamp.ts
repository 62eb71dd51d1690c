import type { Resource } from "../../schema/compile/resource.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { FieldInput } from "./write-input.ts"

/** Adds the update time, and the user for the new version, to the values of a change. Returns the update time. */
export function stampChange(ctx: OperationContext, { updatedAt, versions }: Resource, values: FieldInput): Date {
  const now = ctx.now()
  if (updatedAt) values.set(updatedAt, now)
  if (versions) values.set(versions.user, userOf(ctx))
  return now
}

/** Returns the id of the user, as versions store it. */
export function userOf({ session }: OperationContext): string | null {
  return session?.user.id ?? null
}
