import type { Resource } from "../../../schema/compile/resource.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { recordKey } from "../../read/by-id.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { prefixErrorPaths } from "../bulk-input.ts"
import { writeRows } from "../bulk-rows.ts"
import type { FieldInput } from "../input.ts"
import type { NestedWrites } from "./nested.ts"
import { checkRelationTargets } from "./relation-targets.ts"
import { writeRelated, writeTargets } from "./write-related.ts"

/** The change to one row in a bulk write, with the values for this row. */
export interface RowWithRelated {
  readonly id: string
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
  /** The JSON path of the row's data in the request body, if the body has data for several rows. */
  readonly path?: string | undefined
}

/**
 * Writes many rows and their related records. First writes all records that the rows point to, then the rows, then all
 * records that point to the rows.
 */
export async function writeRowsWithRelated(
  ctx: WriteContext,
  resource: Resource,
  changes: readonly RowWithRelated[],
): Promise<void> {
  const counted = {
    ...ctx,
    nestedWriteState: { count: 0, appendedKeys: new Set(changes.map(({ id }) => recordKey(resource, id))) },
  }
  const turn = new TimeSlice()
  for (const { values, nested, path } of changes) {
    if (turn.isOver) await turn.next()
    if (nested) await withErrorPath(path, () => writeTargets(counted, nested, values))
    await checkRelationTargets(counted, values, nested)
  }
  for (const change of changes) if (change.nested) markChanged(resource, change)
  await writeRows(counted, resource, changes)
  for (const { id, nested, path } of changes) {
    if (nested) await withErrorPath(path, () => writeRelated(counted, { resource, id }, nested))
  }
}

// Makes the update include this row even if none of its columns changes, because a change to its related records counts
// as a change of the record.
function markChanged(resource: Resource, { id, values }: RowWithRelated): void {
  if (values.size === 0) values.set(resource.id, id)
}

function withErrorPath<Result>(path: string | undefined, work: () => Promise<Result>): Promise<Result> {
  if (path === undefined) return work()
  return work().catch((error: unknown) => {
    throw prefixErrorPaths(path, error)
  })
}
