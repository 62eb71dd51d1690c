import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { emptyInNewestVersion } from "../../sql/versions/write-versions.ts"
import { judgeField } from "../access/authorize.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { holdsFor } from "./known-links.ts"

/** A record that points to one that is deleted, and lets go of it. */
interface Release {
  readonly resource: Resource
  readonly field: ResourceField
  readonly id: string
}

/** Whether the caller may see that the record has pointed to what they delete. */
export async function isTold(ctx: OperationContext, release: Release): Promise<boolean> {
  return holdsFor(ctx, release, await judgeField(ctx, release, { operation: "read" }))
}

/** The resource as a write sees it that leaves no trace: its revision, its time and its versions would tell of the field. */
export function traceless(resource: Resource): Resource {
  return { ...resource, revision: undefined, updatedAt: undefined, versions: undefined }
}

/** Keeps the newest version true to a record that has let go of another one and made no version of it. */
export async function refreshVersion(ctx: OperationContext, { resource, field, id }: Release): Promise<void> {
  if (resource.versions) await ctx.connection.query(emptyInNewestVersion(resource, field, id))
}
