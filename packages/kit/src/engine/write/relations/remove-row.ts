import type { DeleteContext } from "../../../schema/builders/hooks.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { deleteLinksOf, lockReferring } from "../../../sql/write/links.ts"
import { deleteRow, updateAnyRow } from "../../../sql/write/write.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { mayNameField } from "../../access/known-resources.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { recordKey } from "../../read/by-id.ts"
import { clearFieldInCopy, removeCopies, withdrawCopy } from "../copies/stage-copies.ts"
import { hasChangeHooks, hasDeleteHooks, readWholeRow, runDeleteHooks } from "../hooks.ts"
import { noStep, type RemovalSteps, runRemoval, runWrite } from "../order.ts"
import { stampChange } from "../stamp.ts"
import { prepareValues, ROW_STEPS, type RowChange } from "../write-row.ts"
import { clearInNewestVersion, isReferenceVisible, withoutAuditFields } from "./hidden-release.ts"
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
    else if (removal.requested.has(keyOf(id))) await removeLocked(ctx, { resource: referrer.resource, id }, removal)
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
      return removeLocked(ctx, { resource: referrer.resource, id }, removal)
    default:
      return referrer.onDelete satisfies never
  }
}

// Sets the reference to null as an ordinary update of the referring record, with its hooks, because that record stays.
// No rule is evaluated on it: the author has declared `onDelete` in the schema.
async function clearReference(ctx: WriteContext, referrer: Referrer, id: string): Promise<void> {
  const { resource, field } = referrer
  if (!hasChangeHooks(resource)) return clearWithoutHooks(ctx, referrer, id)
  if (field.required) return refuse(ctx, referrer)
  await runWrite(ctx, {
    ...ROW_STEPS,
    lock: noStep,
    checkRevision: noStep,
    prepare: (inner) => prepareClearing(inner, referrer, id),
    checkResult: noStep,
    readBack: noStep,
  })
}

async function prepareClearing(ctx: WriteContext, { resource, field }: Referrer, id: string): Promise<RowChange> {
  const change = { resource, operation: "update", data: {}, original: await readWholeRow(ctx, resource, id) } as const
  const { values, nested, completed } = await prepareValues(ctx, change, new Map([[field, null]]))
  // If the hooks have changed other fields too, the caller sees the update anyway, so it need not be concealed.
  const isSeen = values.size > 1 || (await isReferenceVisible(ctx, { resource, field, id }))
  const seen = isSeen ? resource : withoutAuditFields(resource)
  stampChange(ctx, seen, values)
  return {
    resource,
    id,
    values,
    nested,
    completed,
    statement: () => updateAnyRow(seen, { id, values }),
    writeDerived: async (inner) => {
      if (!isSeen) await clearInNewestVersion(inner, { resource, field, id })
    },
  }
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
