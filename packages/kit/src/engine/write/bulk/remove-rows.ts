import type { HookRow } from "../../../schema/builders/hooks.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { deleteRows, updateActiveRows } from "../../../sql/write/write-many.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { byIds } from "../../read/by-id.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { deleteStageCopies, markCopiesDeleted } from "../copies/stage-copies.ts"
import { hasDeleteHooks, readWholeRows, runDeleteHooks } from "../hooks.ts"
import { noStep, type RemovalSteps } from "../order.ts"
import { hasReferrers } from "../relations/referrers.ts"
import { removeAllForGood } from "../relations/remove-row.ts"
import { stampChange } from "../stamp.ts"

/** The records that a bulk removal removes. */
export interface RemovedRows {
  readonly ids: readonly string[]
  /** The rows as they were, for the delete hooks. Empty if there are none. */
  readonly originals: readonly HookRow[]
}

/** The steps of a removal of many records, without those that depend on the operation. */
type SetRemoval = Omit<RemovalSteps<readonly string[], RemovedRows, void>, "lock">

/** Returns the steps that remove records of this resource: softly, or for good. */
export function removalOf({ schema }: OperationContext, resource: Resource): SetRemoval {
  if (resource.deletedAt) return softRemovalOf(resource)
  return hasReferrers(schema, resource) ? oneByOneRemovalOf(resource) : hardRemovalOf(resource)
}

/** Returns the steps that soft-delete records. Other records may still point to them. */
export function softRemovalOf(resource: Resource): SetRemoval {
  return { ...setRemoval(resource), removeRows: (ctx, { ids }) => softDeleteRows(ctx, resource, ids) }
}

function hardRemovalOf(resource: Resource): SetRemoval {
  return {
    ...setRemoval(resource),
    removeRows: async ({ connection }, { ids }) => {
      if (ids.length > 0) await connection.query(deleteRows(resource, ids))
    },
  }
}

// Records that other records can refer to are removed one by one, each with all the steps of a removal, so that the
// `onDelete` setting of the referring fields is applied for each of them.
function oneByOneRemovalOf(resource: Resource): SetRemoval {
  return {
    checkRevision: noStep,
    prepare: async (_ctx, ids) => ({ ids, originals: [] }),
    releaseReferences: noStep,
    removeRows: (ctx, { ids }) => removeAllForGood(ctx, resource, ids),
    runAfterHooks: noStep,
    answer: noStep,
  }
}

/**
 * Returns the steps that withdraw records from a stage: their copies there are deleted, and their working copies stay. No
 * record refers to a stage copy, so there are no references to release.
 */
export function copyRemovalOf(copy: Resource, stage: string): SetRemoval {
  return {
    ...setRemoval(copy, stage),
    removeRows: (ctx, { ids }) => deleteStageCopies(ctx, copy, ids),
  }
}

function setRemoval(resource: Resource, stage?: string): Omit<SetRemoval, "removeRows"> {
  return {
    checkRevision: noStep,
    prepare: async (ctx, ids) => {
      const rows = hasDeleteHooks(resource) ? await readWholeRows(ctx, resource, byIds(resource, ids)) : undefined
      const originals = [...(rows?.values() ?? [])]
      await runHooksOnEach(ctx, { resource, stage, moment: "beforeDelete" }, originals)
      return { ids, originals }
    },
    releaseReferences: noStep,
    runAfterHooks: (ctx, { originals }) => runHooksOnEach(ctx, { resource, stage, moment: "afterDelete" }, originals),
    answer: noStep,
  }
}

interface DeleteHook {
  readonly resource: Resource
  /** The stage from which the records are withdrawn; undefined if the records are deleted. */
  readonly stage: string | undefined
  readonly moment: "beforeDelete" | "afterDelete"
}

async function runHooksOnEach(
  ctx: WriteContext,
  { stage, ...hook }: DeleteHook,
  originals: readonly HookRow[],
): Promise<void> {
  const turn = new TimeSlice()
  for (const original of originals) {
    if (turn.isOver) await turn.next()
    await runDeleteHooks(ctx, hook, { operation: "delete", original, stage })
  }
}

async function softDeleteRows(ctx: WriteContext, resource: Resource, ids: readonly string[]): Promise<void> {
  const { deletedAt } = resource
  if (ids.length === 0 || deletedAt === undefined) return
  const values = new Map<ResourceField, unknown>()
  values.set(deletedAt, stampChange(ctx, resource, values))
  // A hook may have deleted some of the rows already.
  await ctx.connection.query(updateActiveRows(resource, ids, values))
  await markCopiesDeleted(ctx, resource, ids)
}
