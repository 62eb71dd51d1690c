import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { type Answer, plainAnswer } from "../read/answer.ts"
import type { ExpectedRevision } from "../read/revision.ts"
import { findVersions } from "./find-versions.ts"
import { revertRecord } from "./revert.ts"

/**
 * Returns the versions of a global, or an empty list before its first write. The option `id` may be left out; its only
 * valid value is the id of the global's row.
 */
export async function findGlobalVersions(
  ctx: OperationContext,
  resource: Resource,
  { options, isText }: UncheckedOptions,
): Promise<Answer<readonly RecordData[]>> {
  const { id, ...rest } = options
  checkId(id)
  try {
    return await findVersions(ctx, resource, { id: GLOBAL_ROW_ID, given: { options: rest, isText } })
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return plainAnswer([])
    throw error
  }
}

/** Like `revertRecord`, but for the single row of a global. */
export async function revertGlobal(
  ctx: OperationContext,
  resource: Resource,
  { given, expected }: { readonly given: unknown; readonly expected?: ExpectedRevision | undefined },
): Promise<Answer<RecordData>> {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given)
  // The cast is safe: the value is an object and not an array, and the type of its properties stays unknown.
  const { id, ...choice } = (isObject ? given : {}) as Record<string, unknown>
  checkId(id)
  return await revertRecord(ctx, resource, { id: GLOBAL_ROW_ID, input: choice, expected })
}

function checkId(id: unknown): void {
  if (id !== undefined && id !== GLOBAL_ROW_ID)
    throw invalid("id", "A global has no records to choose from. Leave it out.")
}
