import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { refreshFieldInNewestVersion } from "../../../sql/versions/write-versions.ts"
import { evaluateFieldRule } from "../../access/authorize.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { includesRecord } from "./link-visibility.ts"

/** A record whose reference to a deleted record is set to null. */
interface ReleasedReference {
  readonly resource: Resource
  readonly field: ResourceField
  readonly id: string
}

/** True if the caller may see that this record pointed to the deleted record. */
export async function isReferenceVisible(ctx: OperationContext, release: ReleasedReference): Promise<boolean> {
  return includesRecord(ctx, release, await evaluateFieldRule(ctx, release, { operation: "read" }))
}

/**
 * Returns the resource without its revision, update time and versions. A change in one of them would leak a reference
 * that is hidden from the caller.
 */
export function withoutAuditFields(resource: Resource): Resource {
  return { ...resource, revision: undefined, updatedAt: undefined, versions: undefined }
}

/**
 * Gives the record's newest version the field's present value. Used after a reference was cleared without making a new
 * version.
 */
export async function refreshInNewestVersion(
  ctx: OperationContext,
  { resource, field, id }: ReleasedReference,
): Promise<void> {
  if (resource.versions) await ctx.connection.query(refreshFieldInNewestVersion(resource, field, id))
}
