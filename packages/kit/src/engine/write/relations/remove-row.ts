import type { Resource } from "../../../schema/compile/resource.ts"
import { deleteLinksOf, lockReferring } from "../../../sql/write/links.ts"
import { deleteRow, updateAnyRow } from "../../../sql/write/write.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { mayNameField } from "../../access/known-resources.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { recordKey } from "../../read/by-id.ts"
import {
  hasChangeHooks,
  hasDeleteHooks,
  namedValues,
  readWholeRow,
  runAfterChange,
  runBeforeChange,
  runDeleteHooks,
} from "../hooks.ts"
import { clearFieldInCopy, removeCopies, withdrawCopy } from "../stage-copies.ts"
import { stampChange } from "../stamp.ts"
import { clearInNewestVersion, isReferenceVisible, withoutAuditFields } from "./hidden-release.ts"
import { updateLinkVersions } from "./link-versions.ts"
import { takeNestedWrites } from "./nested.ts"
import { type LinkEnd, type Referrer, referrersOf } from "./referrers.ts"
import { writeWithRelated } from "./write-with-related.ts"

/** A row that this transaction has already locked. */
interface LockedRow {
  readonly resource: Resource
  readonly id: string
}

/**
 * Deletes a locked row and its links, and applies each relation's `onDelete` to the records that point to the row. No
 * access rules are evaluated for those records, because the author has declared `onDelete` in the schema.
 */
export function removeForGood(ctx: WriteContext, row: LockedRow): Promise<void> {
  return removeAllForGood(ctx, row.resource, [row.id])
}

/** Like `removeForGood`, for several rows, which may point to each other. */
export async function removeAllForGood(ctx: WriteContext, resource: Resource, ids: readonly string[]): Promise<void> {
  const requested = new Set(ids.map((id) => recordKey(resource, id)))
  const removal: Removal = { requested, inProgress: new Set(), removed: new Set() }
  for (const id of ids) await removeWithHooks(ctx, { resource, id }, removal)
}

/** The progress of a deletion. Records are identified by their `recordKey`. */
interface Removal {
  /** The records that the caller asked to delete. Their references do not prevent the deletion of other records. */
  readonly requested: ReadonlySet<string>
  /** The records whose deletion has begun but is not complete. They may point to each other. */
  readonly inProgress: Set<string>
  readonly removed: Set<string>
}

// Runs the delete hooks for every deleted record, including records that are deleted by a cascade.
async function removeWithHooks(ctx: WriteContext, row: LockedRow, removal: Removal): Promise<void> {
  const { resource, id } = row
  if (removal.removed.has(recordKey(resource, id))) return
  if (!hasDeleteHooks(resource)) return removeRow(ctx, row, removal)
  const operation = resource.deletedAt ? "purge" : "delete"
  const facts = { operation, original: await readWholeRow(ctx, resource, id) } as const
  await runDeleteHooks(ctx, { resource, moment: "beforeDelete" }, facts)
  await removeRow(ctx, row, removal)
  await runDeleteHooks(ctx, { resource, moment: "afterDelete" }, facts)
}

async function removeRow(ctx: WriteContext, row: LockedRow, removal: Removal): Promise<void> {
  const { fields, links } = referrersOf(ctx.schema, row.resource)
  const key = recordKey(row.resource, row.id)
  removal.inProgress.add(key)
  for (const referrer of fields) await releaseReferences(ctx, { row, referrer }, removal)
  for (const link of links) await removeLinks(ctx, link, row.id)
  await removeCopies(ctx, row.resource, row.id)
  await ctx.connection.query(deleteRow(row.resource, row.id, []))
  removal.inProgress.delete(key)
  removal.removed.add(key)
}

async function removeLinks(ctx: WriteContext, { table, column }: LinkEnd, id: string): Promise<void> {
  const { rows } = await ctx.connection.query(deleteLinksOf(table, column, id))
  const [first, second] = table.columns
  const other = first.name === column ? second.target : first.target
  await updateLinkVersions(ctx, other, {
    table: table.name,
    written: [],
    others: rows.map(([record]) => String(record)),
  })
}

interface Reference {
  readonly row: LockedRow
  readonly referrer: Referrer
}

async function releaseReferences(ctx: WriteContext, reference: Reference, removal: Removal): Promise<void> {
  const { row, referrer } = reference
  // With `restrict`, one reference from a record that is not being deleted is enough to refuse the deletion. The limit
  // is the number of records being deleted plus one, so among that many rows at least one is not being deleted.
  const limit = referrer.onDelete === "restrict" ? removal.inProgress.size + removal.requested.size + 1 : undefined
  const { rows } = await ctx.connection.query(lockReferring(referrer.resource, referrer.field, { id: row.id, limit }))
  const found = rows.map(([id]) => String(id))
  const { working } = referrer.resource
  if (working) {
    for (const id of found) await releaseCopy(ctx, { referrer, working, id }, removal)
    return
  }
  const keyOf = (id: string) => recordKey(referrer.resource, id)
  // The row's reference to itself is left out, because it is deleted together with the row.
  const ids = found.filter((id) => keyOf(id) !== recordKey(row.resource, row.id))
  // Records that the caller deletes anyway are deleted first, because their deletion may cascade to other records in
  // `ids`.
  for (const id of ids) {
    if (removal.inProgress.has(keyOf(id))) await clearWithoutHooks(ctx, referrer, id)
    else if (removal.requested.has(keyOf(id))) await removeWithHooks(ctx, { resource: referrer.resource, id }, removal)
  }
  for (const id of ids) if (!isBeingRemoved(removal, keyOf(id))) await applyOnDelete(ctx, { referrer, id }, removal)
}

// Handles the copy of a record in a stage if the copy points to a deleted record. If the copy's own record is being
// deleted too, the copy is deleted now. Otherwise `onDelete` applies to the copy, and not to the working copy.
function releaseCopy(
  ctx: WriteContext,
  { referrer, working, id }: { referrer: Referrer; working: Resource; id: string },
  removal: Removal,
): Promise<void> {
  const { resource, field, onDelete } = referrer
  if (isBeingRemoved(removal, recordKey(working, id)) || onDelete === "cascade") return withdrawCopy(ctx, resource, id)
  if (onDelete === "restrict" || field.required) return refuse(ctx, referrer)
  return clearReferenceInCopy(ctx, referrer, id)
}

async function clearReferenceInCopy(ctx: WriteContext, { resource, field }: Referrer, id: string): Promise<void> {
  if (await isReferenceVisible(ctx, { resource, field, id })) return clearFieldInCopy(ctx, resource, { id, field })
  await clearFieldInCopy(ctx, withoutAuditFields(resource), { id, field })
  await clearInNewestVersion(ctx, { resource, field, id })
}

function isBeingRemoved({ requested, inProgress, removed }: Removal, key: string): boolean {
  return requested.has(key) || inProgress.has(key) || removed.has(key)
}

function applyOnDelete(
  ctx: WriteContext,
  { referrer, id }: { referrer: Referrer; id: string },
  removal: Removal,
): Promise<void> {
  switch (referrer.onDelete) {
    case "restrict":
      return refuse(ctx, referrer)
    case "setNull":
      return clearReference(ctx, referrer, id)
    case "cascade":
      return removeWithHooks(ctx, { resource: referrer.resource, id }, removal)
    default:
      return referrer.onDelete satisfies never
  }
}

// Sets the reference to null as an ordinary update of the referring record, with its hooks, because that record stays.
async function clearReference(ctx: WriteContext, referrer: Referrer, id: string): Promise<void> {
  const { resource, field } = referrer
  if (!hasChangeHooks(resource)) return clearWithoutHooks(ctx, referrer, id)
  if (field.required) return refuse(ctx, referrer)
  const change = { resource, operation: "update", data: {}, original: await readWholeRow(ctx, resource, id) } as const
  const values = await runBeforeChange(ctx, change, new Map([[field, null]]))
  const nested = takeNestedWrites(values)
  const written = namedValues(values)
  // If the hooks have changed other fields too, the caller sees the update anyway, so it need not be concealed.
  const seen =
    values.size > 1 || (await isReferenceVisible(ctx, { resource, field, id }))
      ? resource
      : withoutAuditFields(resource)
  stampChange(ctx, seen, values)
  await writeWithRelated(ctx, { resource, id, values, nested }, () => updateAnyRow(seen, { id, values }))
  if (seen !== resource) await clearInNewestVersion(ctx, { resource, field, id })
  await runAfterChange(ctx, { ...change, data: written }, id)
}

async function clearWithoutHooks(ctx: WriteContext, referrer: Referrer, id: string): Promise<void> {
  const { resource, field } = referrer
  if (field.required) return refuse(ctx, referrer)
  const values = new Map<typeof field, unknown>([[field, null]])
  const seen = (await isReferenceVisible(ctx, { resource, field, id })) ? resource : withoutAuditFields(resource)
  stampChange(ctx, seen, values)
  await ctx.connection.query(updateAnyRow(seen, { id, values }))
  if (seen !== resource) await clearInNewestVersion(ctx, { resource, field, id })
}

async function refuse(ctx: WriteContext, referrer: Referrer): Promise<never> {
  const { resource, field } = referrer
  if (!(await mayNameField(ctx, resource, field))) {
    throw new ApiError("CONFLICT", { message: "Other records still point to this one." })
  }
  const relation = { collection: resource.name, field: field.name }
  throw new ApiError("CONFLICT", {
    message: `Records of "${relation.collection}" still point to this one in "${relation.field}".`,
    context: { relation },
  })
}
