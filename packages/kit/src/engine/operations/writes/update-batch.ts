import type { Resource } from "../../../schema/compile/resource.ts"
import { both, predicateOf } from "../../../sql/filter/predicate.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { authorize, type CallFacts, denied } from "../../access/authorize.ts"
import { evaluateInputFields } from "../../access/field-rights.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { byIds, canonicalId, recordNotFound, requireId } from "../../read/by-id.ts"
import { checkRevision } from "../../read/revision.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { checkFieldsOfRows } from "../../write/bulk/bulk-fields.ts"
import { type BatchUpdate, readBatch } from "../../write/bulk/bulk-input.ts"
import { groupByPredicate, lockRows, matchingIds } from "../../write/bulk/bulk-rows.ts"
import { type BulkRowChange, type LockedUpdate, writeMany } from "../../write/bulk/write-many.ts"
import { withErrorPath } from "../../write/error-path.ts"
import { hasChangeHooks } from "../../write/hooks.ts"
import { inputForRules, parseUpdateInput } from "../../write/input.ts"
import { takeNestedWrites } from "../../write/relations/nested.ts"
import { findableRows, resolveRowRights, type WriteRights } from "../../write/rights.ts"
import { withRetries } from "../../write/with-retries.ts"

interface Update extends BatchUpdate, LockedUpdate {
  readonly id: string
  readonly path: string
}

/** Updates several records, each with its own input, in one transaction. The update rule must allow every update. */
export function updateBatch(
  ctx: OperationContext,
  resource: Resource,
  body: unknown,
): Promise<Answer<readonly RecordData[]>> {
  return withRetries(ctx, (attempt) => updateBatchOnce(attempt, resource, body))
}

async function updateBatchOnce(
  ctx: OperationContext,
  resource: Resource,
  body: unknown,
): Promise<Answer<readonly RecordData[]>> {
  const given = readBatch(resource, body)
  const rights = await resolveRowRights(ctx, resource, factsOf(resource, given[0]))
  const updates = await authorizeEach(ctx, resource, given)
  const changes = hasChangeHooks(resource) ? undefined : await parseEach(ctx, resource, updates)
  return await writeMany(ctx, {
    resource,
    rights,
    lock: async (inner) => {
      await lockEach(inner, { resource, updates }, rights)
      return updates
    },
    checkRevision: (inner) => checkRevisions(inner, { resource, updates }, rights),
    changesOf: changes && (() => changes),
  })
}

function factsOf(resource: Resource, change: BatchUpdate | undefined): CallFacts {
  if (change === undefined) return { operation: "update" }
  return { operation: "update", id: canonicalId(resource, change.id), input: inputForRules(change.data) }
}

async function authorizeEach(
  ctx: OperationContext,
  resource: Resource,
  changes: readonly BatchUpdate[],
): Promise<Update[]> {
  const updates: Update[] = []
  const turn = new TimeSlice()
  for (const change of changes) {
    if (turn.isOver) await turn.next()
    const predicate = predicateOf(await authorize(ctx, resource, factsOf(resource, change)))
    const facts = factsOf(resource, change)
    const fields = await withErrorPath(change.path, () => evaluateInputFields(ctx, resource, facts))
    updates.push({ ...change, id: requireId(resource, change.id), predicate, fields })
  }
  return updates
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
    const values = await withErrorPath(path, () => parseUpdateInput(ctx, { resource, data }))
    const nested = takeNestedWrites(values)
    changes.push({ id, values, nested, path })
  }
  return changes
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
