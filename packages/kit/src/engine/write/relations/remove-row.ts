import type { Statement } from "../../../ports/database.ts"
import type { DeleteContext } from "../../../schema/builders/hooks.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { lockReferringByParts } from "../../../sql/references/referring-rows.ts"
import { deleteLinksOf, lockReferring } from "../../../sql/write/links.ts"
import { deleteRow } from "../../../sql/write/write.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { mayNameField } from "../../access/known-resources.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { recordKey } from "../../read/by-id.ts"
import { removeCopies, withdrawCopy } from "../copies/stage-copies.ts"
import { hasDeleteHooks, readWholeRow, runDeleteHooks } from "../hooks.ts"
import { noStep, type RemovalSteps, runRemoval } from "../order.ts"
import { clearReference, clearReferenceInCopy, clearWithoutHooks } from "./clear-reference.ts"
import { updateLinkVersions } from "./link-versions.ts"
import { type LinkEnd, type Referrer, referrersOf } from "./referrers.ts"

/** A row that this transaction has already locked. */
interface LockedRow {
  readonly resource: Resource
  readonly id: string
}

/**
 * Returns the steps that delete a row and its links for good, and apply each relation's `onDelete` to the records that
 * point to the row. No access rules are evaluated for those records, because the author has declared `onDelete` in the
 * schema.
 */
export function removalOfRow({ resource, id }: LockedRow): RowRemoval {
  return rowRemoval({ resource, id }, newRemoval([recordKey(resource, id)]))
}

/** Deletes locked rows for good, which may point to each other. */
export async function removeAllForGood(ctx: WriteContext, resource: Resource, ids: readonly string[]): Promise<void> {
  const removal = newRemoval(ids.map((id) => recordKey(resource, id)))
  for (const id of ids) await removeLocked(ctx, { resource, id }, removal)
}

/** The progress of a deletion. Records are identified by their `recordKey`. */
interface Removal {
  /** The records that the caller asked to delete. Their references do not prevent the deletion of other records. */
  readonly requested: ReadonlySet<string>
  /** The records whose deletion has begun but is not complete. They may point to each other. */
  readonly inProgress: Set<string>
  readonly removed: Set<string>
}

function newRemoval(requested: Iterable<string>): Removal {
  return { requested: new Set(requested), inProgress: new Set(), removed: new Set() }
}

// Deletes a locked record. Its delete hooks run even if the record is deleted by a cascade.
async function removeLocked(ctx: WriteContext, row: LockedRow, removal: Removal): Promise<void> {
  if (removal.removed.has(recordKey(row.resource, row.id))) return
  await runRemoval(ctx, { ...rowRemoval(row, removal), lock: noStep })
}

/** A row that is being removed. */
export interface RemovedRow {
  /** The arguments of its delete hooks; undefined if there are none. */
  readonly hooked: Pick<DeleteContext, "operation" | "original"> | undefined
}

type RowRemoval = Omit<RemovalSteps<void, RemovedRow, void>, "lock">

function rowRemoval(row: LockedRow, removal: Removal): RowRemoval {
  const { resource, id } = row
  const key = recordKey(resource, id)
  return {
    checkRevision: noStep,
    prepare: (ctx) => runBeforeDelete(ctx, row),
    releaseReferences: async (ctx) => {
      removal.inProgress.add(key)
      await releaseAll(ctx, row, removal)
    },
    removeRows: async ({ connection }) => {
      await connection.query(deleteRow(resource, id, []))
      removal.inProgress.delete(key)
      removal.removed.add(key)
    },
    runAfterHooks: async (ctx, { hooked }) => {
      if (hooked) await runDeleteHooks(ctx, { resource, moment: "afterDelete" }, hooked)
    },
    answer: noStep,
  }
}

async function runBeforeDelete(ctx: WriteContext, { resource, id }: LockedRow): Promise<RemovedRow> {
  if (!hasDeleteHooks(resource)) return { hooked: undefined }
  const operation = resource.deletedAt ? "purge" : "delete"
  const hooked = { operation, original: await readWholeRow(ctx, resource, id) } as const
  await runDeleteHooks(ctx, { resource, moment: "beforeDelete" }, hooked)
  return { hooked }
}

// Removes everything that points to the row: references, links and the record's copies in stages.
async function releaseAll(ctx: WriteContext, row: LockedRow, removal: Removal): Promise<void> {
  const { fields, links } = referrersOf(ctx.schema, row.resource)
  for (const referrer of fields) await releaseReferences(ctx, { row, referrer }, removal)
  for (const link of links) await removeLinks(ctx, link, row.id)
  await removeCopies(ctx, row.resource, row.id)
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
  const { rows } = await ctx.connection.query(lockReferringTo(reference, limit))
  const found = rows.map(([id]) => String(id))
  const { working } = referrer.resource
  if (working) {
    for (const id of found) await releaseCopy(ctx, { ...reference, working, id }, removal)
    return
  }
  const keyOf = (id: string) => recordKey(referrer.resource, id)
  // The row's reference to itself is left out, because it is deleted together with the row.
  const ids = found.filter((id) => keyOf(id) !== recordKey(row.resource, row.id))
  // Records that the caller deletes anyway are deleted first, because their deletion may cascade to other records in
  // `ids`.
  for (const id of ids) {
    if (removal.inProgress.has(keyOf(id))) await clearForeignKey(ctx, reference, id)
    else if (removal.requested.has(keyOf(id))) await removeLocked(ctx, { resource: referrer.resource, id }, removal)
  }
  for (const id of ids) if (!isBeingRemoved(removal, keyOf(id))) await applyOnDelete(ctx, { ...reference, id }, removal)
}

function lockReferringTo({ row, referrer }: Reference, limit: number | undefined): Statement {
  const { table } = row.resource
  if (referrer.parts) return lockReferringByParts(referrer, { table, id: row.id, limit })
  return lockReferring(referrer.resource, referrer.field, { id: row.id, limit })
}

// Two records that are removed together may point to each other. The foreign key of one has to be emptied first.
async function clearForeignKey(ctx: WriteContext, { row, referrer }: Reference, id: string): Promise<void> {
  if (referrer.parts) return
  if (referrer.field.required) return refuse(ctx, referrer)
  await clearWithoutHooks(ctx, { referrer, id, removed: row })
}

/** A record that points to the row. */
interface ReferringRecord extends Reference {
  readonly id: string
}

// Handles the copy of a record in a stage if the copy points to a deleted record. If the copy's own record is being
// deleted too, the copy is deleted now. Otherwise `onDelete` applies to the copy, and not to the working copy.
function releaseCopy(
  ctx: WriteContext,
  { row, referrer, working, id }: ReferringRecord & { readonly working: Resource },
  removal: Removal,
): Promise<void> {
  const { resource, onDelete } = referrer
  if (isBeingRemoved(removal, recordKey(working, id)) || onDelete === "cascade") return withdrawCopy(ctx, resource, id)
  if (onDelete === "restrict" || cannotBeCleared(referrer)) return refuse(ctx, referrer)
  return clearReferenceInCopy(ctx, { referrer, id, removed: row })
}

// True if the field must have a value. A required member of a block, or of an object, is never declared as `setNull`.
function cannotBeCleared({ field, parts }: Referrer): boolean {
  return parts === undefined && field.required
}

function isBeingRemoved({ requested, inProgress, removed }: Removal, key: string): boolean {
  return requested.has(key) || inProgress.has(key) || removed.has(key)
}

function applyOnDelete(ctx: WriteContext, { row, referrer, id }: ReferringRecord, removal: Removal): Promise<void> {
  switch (referrer.onDelete) {
    case "restrict":
      return refuse(ctx, referrer)
    case "setNull":
      if (cannotBeCleared(referrer)) return refuse(ctx, referrer)
      return clearReference(ctx, { referrer, id, removed: row })
    case "cascade":
      return removeLocked(ctx, { resource: referrer.resource, id }, removal)
    default:
      return referrer satisfies never
  }
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
