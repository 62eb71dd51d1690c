import type { Resource } from "../../../schema/compile/resource.ts"
import { type Access, both, onStageCopy, predicateOf } from "../../../sql/filter/predicate.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { authorize, type CallFacts, denied } from "../../access/authorize.ts"
import { evaluateInputFields } from "../../access/field-rights.ts"
import { type WrittenStage, writtenStage } from "../../access/stage.ts"
import { withErrorPath } from "../../context/error-path.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { byIds, canonicalId, recordNotFound, requireId } from "../../read/by-id.ts"
import { checkRevision } from "../../read/revision.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { withAllProblems } from "../../write/all-problems.ts"
import { checkFieldsOfRows } from "../../write/bulk/bulk-fields.ts"
import { type BatchUpdate, type BulkInput, readBatch } from "../../write/bulk/bulk-input.ts"
import { groupByPredicate, lockRows, matchingIds } from "../../write/bulk/bulk-rows.ts"
import { type BulkRowChange, type LockedUpdate, writeMany } from "../../write/bulk/write-many.ts"
import {
  type CopyFacts,
  completeCopyRights,
  fieldsOnCopy,
  requireCopies,
  withTransition,
} from "../../write/copies/copy-rights.ts"
import { hasChangeHooks } from "../../write/hooks.ts"
import { inputForRules, parseUpdateInput } from "../../write/input.ts"
import { takeNestedWrites } from "../../write/relations/nested.ts"
import { findableRows, resolveRowRights, type WriteRights } from "../../write/rights.ts"
import { withRetries } from "../../write/with-retries.ts"

interface Update extends BatchUpdate, LockedUpdate {
  readonly id: string
  readonly path: string
}

/**
 * Updates several records, each with its own input, in one transaction. The update rule must allow every update. With a
 * stage, updates the copies of the records in that stage, and not their working copies.
 */
export function updateBatch(
  ctx: OperationContext,
  resource: Resource,
  input: BulkInput,
): Promise<Answer<readonly RecordData[]>> {
  return withRetries(ctx, (attempt) => updateBatchOnce(attempt, resource, input))
}

async function updateBatchOnce(
  ctx: OperationContext,
  resource: Resource,
  { body, stage: named }: BulkInput,
): Promise<Answer<readonly RecordData[]>> {
  const stage = writtenStage(resource, named)
  const given = readBatch(resource, body)
  const facts = factsOf({ resource, stage }, given[0])
  const rights = await resolveRowRights(ctx, resource, facts)
  const updates = await authorizeEach(ctx, { resource, stage }, given)
  const written = await writtenBatch(ctx, { resource, updates, facts }, rights)
  const inputs = updates.map(({ data, path }) => ({ resource: written.resource, data, path, isNew: false }))
  return await withAllProblems(ctx, inputs, async () => {
    const changes = hasChangeHooks(resource) ? undefined : await parseEach(ctx, written.resource, updates)
    return await writeMany(ctx, {
      ...written,
      stage,
      checkRevision: (inner) => checkRevisions(inner, { resource: written.resource, updates }, written.rights),
      changesOf: changes && (() => changes),
    })
  })
}

function factsOf({ resource, stage }: WrittenStage, change: BatchUpdate | undefined): CallFacts {
  if (change === undefined) return { operation: "update", stage }
  return { operation: "update", id: canonicalId(resource, change.id), input: inputForRules(change.data), stage }
}

interface Batch {
  readonly resource: Resource
  readonly updates: readonly Update[]
  /** The facts of the first update. */
  readonly facts: CallFacts
}

/** The rows that the batch writes, and the caller's rights on them. */
interface WrittenBatch {
  readonly resource: Resource
  readonly rights: WriteRights
  lock(ctx: WriteContext): Promise<readonly LockedUpdate[]>
}

async function writtenBatch(ctx: OperationContext, batch: Batch, rights: WriteRights): Promise<WrittenBatch> {
  const { resource, updates, facts } = batch
  const { stage } = facts
  if (stage !== undefined) return await writtenCopies(ctx, { ...batch, facts: { ...facts, stage } }, rights)
  return {
    resource,
    rights,
    lock: async (inner) => {
      await lockEach(inner, batch, rights)
      return updates
    },
  }
}

// The rules are evaluated on the locked working copies, and again on the stage copies after the write.
async function writtenCopies(
  ctx: OperationContext,
  batch: Batch & { readonly facts: CopyFacts },
  rights: WriteRights,
): Promise<WrittenBatch> {
  const { resource, updates, facts } = batch
  const { stage } = facts
  const { copy, onCopy } = await completeCopyRights(ctx, { resource, facts }, rights)
  return {
    resource: copy,
    rights: onCopy,
    lock: async (inner) => {
      await lockEach(inner, batch, rights)
      await requireCopies(inner, { copy, stage, ids: updates.map(({ id }) => id) })
      return updates.map((update) => ({
        ...update,
        predicate: onStageCopy(copy, update.predicate),
        fields: fieldsOnCopy(copy, update.fields),
      }))
    },
  }
}

async function authorizeEach(
  ctx: OperationContext,
  written: WrittenStage,
  changes: readonly BatchUpdate[],
): Promise<Update[]> {
  const { resource } = written
  const updates: Update[] = []
  const turn = new TimeSlice()
  for (const change of changes) {
    if (turn.isOver) await turn.next()
    const facts = factsOf(written, change)
    const predicate = predicateOf(await authorizeUpdate(ctx, resource, facts))
    const fields = await withErrorPath(change.path, () => evaluateInputFields(ctx, resource, facts))
    updates.push({ ...change, id: requireId(resource, change.id), predicate, fields })
  }
  return updates
}

async function authorizeUpdate(ctx: OperationContext, resource: Resource, facts: CallFacts): Promise<Access> {
  const access = await authorize(ctx, resource, facts)
  const { stage } = facts
  return stage === undefined ? access : withTransition(ctx, { resource, facts: { ...facts, stage } }, access)
}

async function parseEach(
  ctx: OperationContext,
  resource: Resource,
  updates: readonly Update[],
): Promise<BulkRowChange[]> {
  const changes: BulkRowChange[] = []
  const turn = new TimeSlice()
  for (const { id, data, path } of updates) {
    if (turn.isOver) await turn.next()
    const { values, nested } = await withErrorPath(path, () => parseOne(ctx, resource, data))
    changes.push({ id, values, nested, path })
  }
  return changes
}

async function parseOne(ctx: OperationContext, resource: Resource, data: unknown) {
  const values = await parseUpdateInput(ctx, { resource, data })
  return { values, nested: takeNestedWrites(resource, values) }
}

// Locks the rows of all updates, and then evaluates the rules on these rows. Every write of many records locks all its
// rows before it evaluates a rule on any of them.
async function lockEach(
  ctx: WriteContext,
  { resource, updates }: { resource: Resource; updates: readonly Update[] },
  rights: WriteRights,
): Promise<void> {
  const ids = updates.map(({ id }) => id)
  await lockRows(ctx, resource, byIds(resource, ids))
  const writable = new Set<string>()
  const findable = new Set<string>()
  for (const { predicate, ids: sameRule } of await groupByPredicate(updates)) {
    const alike = { resource, ids: sameRule }
    for (const id of await matchingIds(ctx, alike, both(rights.rows, predicate))) writable.add(id)
    for (const id of await matchingIds(ctx, alike, findableRows(rights, predicate))) findable.add(id)
  }
  for (const { id } of updates) {
    if (!findable.has(id)) throw recordNotFound(resource, id)
    if (!writable.has(id)) throw denied(ctx.session, "update this record")
  }
  await checkFieldsOfRows(ctx, { resource, rows: updates }, "update this field of this record")
}

async function checkRevisions(
  ctx: WriteContext,
  { resource, updates }: { resource: Resource; updates: readonly Update[] },
  rights: WriteRights,
): Promise<void> {
  const expecting = updates.filter(({ expected }) => expected !== undefined)
  if (expecting.length === 0 || !resource.revision) return
  const ids = expecting.map(({ id }) => id)
  const selection = { resource, fields: [resource.id, resource.revision], relations: [] }
  const { rows } = await ctx.connection.query(
    selectMatching(selection, both(byIds(resource, ids), predicateOf(rights.read))),
  )
  const revisions = new Map(rows.map(([id, revision]) => [id, Number(revision)]))
  const stale = expecting.find(({ id, expected }) => revisions.get(id) !== expected?.revision)
  if (stale) await checkRevision(ctx, { resource, id: stale.id, expected: stale.expected }, rights)
}
