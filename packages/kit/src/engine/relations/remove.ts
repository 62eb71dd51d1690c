import type { Resource } from "../../schema/resource.ts"
import { deleteLinksOf, lockReferring } from "../../sql/links.ts"
import { deleteRow, updateRow } from "../../sql/write.ts"
import { ApiError } from "../../wire/api-error.ts"
import type { OperationContext } from "../operation-context.ts"
import { type Referrer, referrersOf } from "./referrers.ts"

/** A row that is locked already. */
interface LockedRow {
  readonly resource: Resource
  readonly id: string
}

/**
 * Deletes a locked row and does to the records that point to it what their fields say; its links go with it.
 * The author has said so in the schema: no rule of the caller is asked about those records.
 */
export function removeRow(ctx: OperationContext, row: LockedRow): Promise<void> {
  return removeRowAmong(ctx, row, new Set())
}

// Rows on their way out may point to each other: `leaving` holds the ids of those that are not deleted yet.
async function removeRowAmong(ctx: OperationContext, row: LockedRow, leaving: Set<string>): Promise<void> {
  const { fields, links } = referrersOf(ctx.schema, row.resource)
  leaving.add(row.id)
  for (const referrer of fields) await release(ctx, { row, referrer }, leaving)
  for (const { table, column } of links) await ctx.connection.query(deleteLinksOf(table, column, row.id))
  await ctx.connection.query(deleteRow(row.resource, row.id, []))
  leaving.delete(row.id)
}

interface Reference {
  readonly row: LockedRow
  readonly referrer: Referrer
}

async function release(ctx: OperationContext, reference: Reference, leaving: Set<string>): Promise<void> {
  const { row, referrer } = reference
  // Where one is too many, so many are enough to find one that stays.
  const limit = referrer.onDelete === "restrict" ? leaving.size + 1 : undefined
  const { rows } = await ctx.connection.query(lockReferring(referrer.resource, referrer.field, { id: row.id, limit }))
  // A row that points to itself needs no help.
  const ids = rows.map(([id]) => String(id)).filter((id) => id !== row.id)
  for (const id of ids) {
    if (leaving.has(id)) await empty(ctx, referrer, id)
    else await releaseOne(ctx, { referrer, id }, leaving)
  }
}

function releaseOne(
  ctx: OperationContext,
  { referrer, id }: { referrer: Referrer; id: string },
  leaving: Set<string>,
): Promise<void> {
  switch (referrer.onDelete) {
    case "restrict":
      return Promise.reject(stillNeeded(referrer))
    case "setNull":
      return empty(ctx, referrer, id)
    case "cascade":
      return removeRowAmong(ctx, { resource: referrer.resource, id }, leaving)
    default:
      return referrer.onDelete satisfies never
  }
}

async function empty(ctx: OperationContext, referrer: Referrer, id: string): Promise<void> {
  const { resource, field } = referrer
  if (field.required) throw stillNeeded(referrer)
  const values = new Map<typeof field, unknown>([[field, null]])
  if (resource.updatedAt) values.set(resource.updatedAt, ctx.now())
  await ctx.connection.query(updateRow(resource, { id, values }, []))
}

function stillNeeded({ resource, field }: Referrer): ApiError {
  const relation = { collection: resource.name, field: field.name }
  return new ApiError("CONFLICT", {
    message: `Records of "${relation.collection}" still point to this one in "${relation.field}".`,
    context: { relation },
  })
}
