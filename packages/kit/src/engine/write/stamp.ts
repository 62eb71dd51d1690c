import type { Resource } from "../../schema/compile/resource.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { FieldInput } from "./write-input.ts"

/** Adds what every change of a row tells besides what it changes: when it was, which it returns, and whose version it makes. */
export function stampChange(ctx: OperationContext, { updatedAt, versions }: Resource, values: FieldInput): Date {
  const now = ctx.now()
  if (updatedAt) values.set(updatedAt, now)
  if (versions) values.set(versions.user, userOf(ctx))
  return now
}

/** Who does this, as versions tell it. */
export function userOf({ session }: OperationContext): string | null {
  return session?.user.id ?? null
}
