import type { Resource } from "../../schema/compile/resource.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import { both, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { byIds } from "../read/by-id.ts"
import { TimeSlice } from "../read/time-slice.ts"
import { checkFieldsOfRows } from "../write/bulk-fields.ts"
import { prefixErrorPaths, readBulkWhere, readMembers } from "../write/bulk-input.ts"
import { checkWrittenRows, lockRows, readWrittenRows, writeRows } from "../write/bulk-rows.ts"
import { hasChangeHooks, namedValues, parseHookedInput, readWholeRows, runAfterChange } from "../write/hooks.ts"
import { type FieldInput, parseUpdateInput } from "../write/input.ts"
import { takeNestedWrites } from "../write/relations/nested.ts"
import { checkRelationTargets } from "../write/relations/relation-targets.ts"
import { type RowWithRelated, writeRowsWithRelated } from "../write/relations/write-rows-with-related.ts"
import { resolveWriteRights, type WriteRights } from "../write/rights.ts"
import { withRetries } from "../write/with-retries.ts"
import { inputForRules } from "./create.ts"

/**
 * Updates all records that match the filter and that the caller may read and update. All records get the same input, in
 * one transaction.
 */
export function updateMany(
  ctx: OperationContext,
  resource: Resource,
  body: unknown,
): Promise<Answer<readonly RecordData[]>> {
  return withRetries(ctx, (attempt) => updateManyOnce(attempt, resource, body))
}

async function updateManyOnce(
  ctx: OperationContext,
  resource: Resource,
  body: unknown,
): Promise<Answer<readonly RecordData[]>> {
  const members = readMembers(body, ["where", "data", "all"])
  const { data } = members
  const rights = await resolveWriteRights(ctx, resource, { operation: "update", input: inputForRules(data) })
  if (inputForRules(data) === undefined) throw invalid("data", "Expected an object with the fields to change.")
  const matching = guardedFilter(reachableRows(rights), await readBulkWhere(ctx, resource, members))
  if (hasChangeHooks(resource)) {
    return ctx.connection.transaction((connection) =>
      updateWithHooks({ ...ctx, connection }, { resource, data, matching }, rights),
    )
  }
  const values = await parseUpdateInput(ctx, resource, data)
  const nested = takeNestedWrites(values)
  if (nested === undefined) await checkRelationTargets(ctx, values)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    const ids = await lockRows(inner, resource, matching)
    if (nested) await writeRowsWithRelated(inner, resource, sameChangeOfEach(ids, { values, nested }))
    else await writeRows(inner, resource, sameChange(ids, values))
    await checkResult(inner, { resource, ids }, rights)
    return readWrittenRows(inner, { resource, ids }, rights)
  })
}

/**
 * Returns the rows that the filter of a bulk write can match: the rows that the caller may read and write, and in which
 * the caller may write all fields of the input.
 */
export function reachableRows({ rows, read, write, fields }: WriteRights): Predicate {
  const writable = fields.reduce((all, { predicate }) => both(all, predicate), predicateOf(write))
  return both(rows, both(predicateOf(read), writable))
}

async function checkResult(
  ctx: WriteContext,
  { resource, ids }: { resource: Resource; ids: readonly string[] },
  { write, fields }: WriteRights,
): Promise<void> {
  if (write.kind !== "allow") await checkWrittenRows(ctx, { resource, ids }, predicateOf(write))
  const rows = ids.map((id) => ({ id, fields }))
  await checkFieldsOfRows(ctx, { resource, rows }, "update this field of a record in this state")
}

function sameChange(ids: readonly string[], values: FieldInput): { id: string; values: FieldInput }[] {
  return ids.map((id) => ({ id, values }))
}

// Returns the same change for each id. Each change has its own map of values, because a nested write may create a
// related record for each id and set the related record's id in the map.
function sameChangeOfEach(ids: readonly string[], { values, nested }: Omit<RowWithRelated, "id">): RowWithRelated[] {
  return ids.map((id) => ({ id, values: new Map(values), nested }))
}

async function updateWithHooks(
  ctx: WriteContext,
  { resource, data, matching }: { resource: Resource; data: unknown; matching: Predicate },
  rights: WriteRights,
): Promise<Answer<readonly RecordData[]>> {
  const ids = await lockRows(ctx, resource, matching)
  await writeWithHooks(
    ctx,
    resource,
    ids.map((id) => ({ id, data })),
  )
  await checkResult(ctx, { resource, ids }, rights)
  return readWrittenRows(ctx, { resource, ids }, rights)
}

interface RowUpdateInput {
  readonly id: string
  readonly data: unknown
  /** The JSON path of `data` in the request body, if the body has several changes. */
  readonly path?: string
}

/**
 * Runs the `beforeChange` hooks for each locked row, writes all rows, and then runs the `afterChange` hooks for each
 * row.
 */
export async function writeWithHooks(
  ctx: WriteContext,
  resource: Resource,
  given: readonly RowUpdateInput[],
): Promise<void> {
  const ids = given.map(({ id }) => id)
  const originals = await readWholeRows(ctx, resource, byIds(resource, ids))
  const changes: (RowWithRelated & { written: RecordData })[] = []
  const turn = new TimeSlice()
  for (const { id, data, path } of given) {
    if (turn.isOver) await turn.next()
    const change = { resource, operation: "update", data, original: originals.get(id) ?? {} } as const
    const values = await parseHookedInput(ctx, change).catch((error: unknown) => {
      throw path === undefined ? error : prefixErrorPaths(path, error)
    })
    const nested = takeNestedWrites(values)
    changes.push({ id, values, nested, path, written: namedValues(values) })
  }
  await writeRowsWithRelated(ctx, resource, changes)
  for (const { id, written } of changes) {
    if (turn.isOver) await turn.next()
    const original = originals.get(id) ?? {}
    await runAfterChange(ctx, { resource, operation: "update", data: written, original }, id)
  }
}
