import type { Resource } from "../../../schema/compile/resource.ts"
import { guardedFilter } from "../../../sql/filter/guarded-filter.ts"
import { predicateOf } from "../../../sql/filter/predicate.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { readBulkWhere, readMembers } from "../../write/bulk/bulk-input.ts"
import { lockRows } from "../../write/bulk/bulk-rows.ts"
import { type BulkRowChange, type LockedUpdate, writeMany } from "../../write/bulk/write-many.ts"
import { hasChangeHooks } from "../../write/hooks.ts"
import { type FieldInput, inputForRules, parseUpdateInput } from "../../write/input.ts"
import { takeNestedWrites } from "../../write/relations/nested.ts"
import { reachableRows, resolveWriteRights } from "../../write/rights.ts"
import { withRetries } from "../../write/with-retries.ts"

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
  const values = hasChangeHooks(resource) ? undefined : await parseUpdateInput(ctx, { resource, data })
  return await writeMany(ctx, {
    resource,
    rights,
    lock: async (inner) => {
      const update = { data, predicate: predicateOf(rights.write), fields: rights.fields }
      return (await lockRows(inner, resource, matching)).map((id) => ({ ...update, id }))
    },
    changesOf: values && ((rows) => sameChangeOfEach(rows, values)),
  })
}

// Returns the same change for each row. With nested writes, each row has its own map of values, because a nested write
// may create a related record for each row and set the related record's id in the map.
function sameChangeOfEach(rows: readonly LockedUpdate[], values: FieldInput): BulkRowChange[] {
  const nested = takeNestedWrites(values)
  return rows.map(({ id }) => ({ id, values: nested ? new Map(values) : values, nested }))
}
