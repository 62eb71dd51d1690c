import type { Resource } from "../../../schema/compile/resource.ts"
import { predicateOf } from "../../../sql/filter/predicate.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { writtenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { readMembers } from "../../context/read-members.ts"
import type { Answer } from "../../read/answer.ts"
import { withAllProblems } from "../../write/all-problems.ts"
import { type BulkInput, readBulkWhere } from "../../write/bulk/bulk-input.ts"
import { type BulkRowChange, type LockedUpdate, writeMany } from "../../write/bulk/write-many.ts"
import { resolveWrittenRows } from "../../write/bulk/written-rows.ts"
import { hasChangeHooks } from "../../write/hooks.ts"
import { type FieldInput, inputForRules, parseUpdateInput } from "../../write/input.ts"
import { takeNestedWrites } from "../../write/relations/nested.ts"
import { withRetries } from "../../write/with-retries.ts"

/**
 * Updates all records that match the filter and that the caller may read and update. All records get the same input, in
 * one transaction. With a stage, updates the copies of the records in that stage, and not their working copies.
 */
export function updateMany(
  ctx: OperationContext,
  resource: Resource,
  input: BulkInput,
): Promise<Answer<readonly RecordData[]>> {
  return withRetries(ctx, (attempt) => updateManyOnce(attempt, resource, input))
}

async function updateManyOnce(
  ctx: OperationContext,
  resource: Resource,
  { body, stage: named }: BulkInput,
): Promise<Answer<readonly RecordData[]>> {
  const stage = writtenStage(resource, named)
  const members = readMembers(body, ["where", "data", "all"])
  const { data } = members
  const facts = { operation: "update", input: inputForRules(data), stage } as const
  const written = await resolveWrittenRows(ctx, resource, facts)
  if (inputForRules(data) === undefined) throw invalid("data", "Expected an object with the fields to change.")
  const filter = await readBulkWhere(ctx, { resource, stage, named }, members)
  const { rights } = written
  return await withAllProblems(ctx, [{ resource: written.resource, data, isNew: false }], async () => {
    const values = hasChangeHooks(resource)
      ? undefined
      : await parseUpdateInput(ctx, { resource: written.resource, data })
    return await writeMany(ctx, {
      ...written,
      stage,
      lock: async (inner) => {
        const update = { data, predicate: predicateOf(rights.write), fields: rights.fields }
        return (await written.lock(inner, filter)).map((id) => ({ ...update, id }))
      },
      changesOf: values && changesWith(written.resource, values),
    })
  })
}

// Returns the function that gives each row the same change. With nested writes, each row has its own map of values,
// because a nested write may create a related record for each row and set the related record's id in the map.
function changesWith(resource: Resource, values: FieldInput): (rows: readonly LockedUpdate[]) => BulkRowChange[] {
  const nested = takeNestedWrites(resource, values)
  return (rows) => rows.map(({ id }) => ({ id, values: nested ? new Map(values) : values, nested }))
}
