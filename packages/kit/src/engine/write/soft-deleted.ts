import type { Resource } from "../../schema/compile/resource.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { WriteContext } from "../context/hook-context.ts"
import { byId } from "../read/by-id.ts"
import { lockForWrite, type WriteRights } from "./rights.ts"

/** Throws BAD_REQUEST if the resource keeps no deleted records. */
export function requireSoftDelete(resource: Resource, operation: string): void {
  if (resource.deletedAt) return
  throw new ApiError("BAD_REQUEST", { message: `"${resource.name}" keeps no deleted records to ${operation}.` })
}

/** Like `lockForWrite`, for a write to a soft-deleted record. Throws CONFLICT if the record is active. */
export async function lockDeleted(
  ctx: WriteContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  rights: WriteRights,
): Promise<void> {
  await lockForWrite(ctx, { resource, id }, rights)
  const fields = resource.deletedAt ? [resource.deletedAt] : []
  const { rows } = await ctx.connection.query(selectMatching({ resource, fields, relations: [] }, byId(resource, id)))
  if (rows[0]?.[0] === null) throw new ApiError("CONFLICT", { message: "The record is not deleted." })
}
