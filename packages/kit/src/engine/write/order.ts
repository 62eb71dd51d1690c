import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { refreshOutdatedContent } from "../search/index/content.ts"

/**
 * The steps of a write to one or more records, in the order in which `runWrite` takes them. Two steps come before:
 * the rights of the caller are resolved, and input that no hook can change is parsed.
 */
export interface WriteSteps<Locked, Change, Result> {
  /** Locks the records and evaluates the rules on them. Throws NOT_FOUND or FORBIDDEN. */
  lock(ctx: WriteContext): Promise<Locked>
  /** Throws CONFLICT if a record does not have the revision that the caller expects. */
  checkRevision(ctx: WriteContext, locked: Locked): Promise<void>
  /** Runs the hooks before the change, and returns the change to write. */
  prepare(ctx: WriteContext, locked: Locked): Promise<Change>
  /** Writes and checks the records to which the written records will point. */
  writeTargets(ctx: WriteContext, change: Change): Promise<void>
  /**
   * Writes the rows, and evaluates the rules on their new values while everything else is as it was before the
   * statement. Throws FORBIDDEN.
   */
  writeRows(ctx: WriteContext, change: Change): Promise<void>
  /** Writes the related records that point to the written records, and the links. */
  writeRelated(ctx: WriteContext, change: Change): Promise<void>
  /** Evaluates the rules again, on the records as they are now. Throws FORBIDDEN. */
  checkResult(ctx: WriteContext, change: Change): Promise<void>
  /** Runs the hooks after the change. They never hear of a write that is then refused by a rule. */
  runAfterHooks(ctx: WriteContext, change: Change): Promise<void>
  /** Returns the written records as they are visible to the caller. */
  readBack(ctx: WriteContext, change: Change): Promise<Result>
}

export async function runWrite<Locked, Change, Result>(
  ctx: WriteContext,
  steps: WriteSteps<Locked, Change, Result>,
): Promise<Result> {
  const locked = await steps.lock(ctx)
  await steps.checkRevision(ctx, locked)
  const change = await steps.prepare(ctx, locked)
  await steps.writeTargets(ctx, change)
  await steps.writeRows(ctx, change)
  await steps.writeRelated(ctx, change)
  await steps.checkResult(ctx, change)
  await steps.runAfterHooks(ctx, change)
  await refreshOutdatedContent(ctx)
  return steps.readBack(ctx, change)
}

/** Runs a write in a transaction of its own. Inside an open transaction, it runs in a savepoint. */
export function writeInTransaction<Locked, Change, Result>(
  ctx: OperationContext,
  steps: WriteSteps<Locked, Change, Result>,
): Promise<Result> {
  return ctx.connection.transaction((connection) => runWrite({ ...ctx, connection }, steps))
}

/**
 * The steps of the removal of one or more records, in the order in which `runRemoval` takes them. Before them, the
 * rights of the caller are resolved.
 */
export interface RemovalSteps<Locked, Removed, Result> {
  /** Locks the records and evaluates the rules on them. Throws NOT_FOUND or FORBIDDEN. */
  lock(ctx: WriteContext): Promise<Locked>
  /** Throws CONFLICT if a record does not have the revision that the caller expects. */
  checkRevision(ctx: WriteContext, locked: Locked): Promise<void>
  /** Runs the hooks before the removal. Returns what the later steps need to know of the records. */
  prepare(ctx: WriteContext, locked: Locked): Promise<Removed>
  /** Applies the `onDelete` of the fields that point to the records. Throws CONFLICT if one of them is `restrict`. */
  releaseReferences(ctx: WriteContext, removed: Removed): Promise<void>
  removeRows(ctx: WriteContext, removed: Removed): Promise<void>
  runAfterHooks(ctx: WriteContext, removed: Removed): Promise<void>
  answer(ctx: WriteContext, removed: Removed): Promise<Result>
}

export async function runRemoval<Locked, Removed, Result>(
  ctx: WriteContext,
  steps: RemovalSteps<Locked, Removed, Result>,
): Promise<Result> {
  const locked = await steps.lock(ctx)
  await steps.checkRevision(ctx, locked)
  const removed = await steps.prepare(ctx, locked)
  await steps.releaseReferences(ctx, removed)
  await steps.removeRows(ctx, removed)
  await steps.runAfterHooks(ctx, removed)
  await refreshOutdatedContent(ctx)
  return steps.answer(ctx, removed)
}

/** Like `writeInTransaction`, for a removal. */
export function removeInTransaction<Locked, Removed, Result>(
  ctx: OperationContext,
  steps: RemovalSteps<Locked, Removed, Result>,
): Promise<Result> {
  return ctx.connection.transaction((connection) => runRemoval({ ...ctx, connection }, steps))
}

/** A step that an operation does not have. */
export async function noStep(): Promise<void> {}
