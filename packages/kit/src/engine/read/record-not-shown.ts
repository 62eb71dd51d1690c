import type { Resource } from "../../schema/compile/resource.ts"
import { both } from "../../sql/filter/predicate.ts"
import { countMatching } from "../../sql/read/select.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { readableRows } from "../access/readable-rows.ts"
import { evaluateDrafts, inStage } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { byId, recordNotFound, storedId } from "./by-id.ts"

interface MissedRecord {
  readonly id: string
  readonly given: UncheckedOptions
}

/**
 * Returns the error for a read by id that found nothing. For a caller who named no stage, and who may read the record's
 * draft, it says which stage to name. For all other callers the record does not exist.
 */
export async function recordNotShown(
  ctx: OperationContext,
  resource: Resource,
  missed: MissedRecord,
): Promise<ApiError> {
  return (await unnamedDraft(ctx, resource, missed)) ?? recordNotFound(resource, missed.id)
}

/** Returns the error that says which stage to name; undefined if there is no draft that the caller may read. */
export async function unnamedDraft(
  ctx: OperationContext,
  resource: Resource,
  { id, given }: MissedRecord,
): Promise<ApiError | undefined> {
  const stage = resource.workflow?.initial
  const stored = storedId(resource, id)
  // With a filter, the record may be public and not match.
  const hasMore = ["stage", "where", "search"].some((name) => given.options[name] !== undefined)
  if (stage === undefined || stored === undefined || hasMore) return undefined
  // A caller who may read all drafts has just read the working copy.
  if ((await evaluateDrafts(ctx, resource)).kind !== "where") return undefined
  const draft = await inStage(ctx, resource, { options: { stage }, isText: false })
  const readable = await readableRows(draft.ctx, draft.resource, { given, id: stored })
  const { rows } = await ctx.connection.query(
    countMatching(draft.resource, both(byId(draft.resource, stored), readable)),
  )
  if (rows[0]?.[0] !== 1) return undefined
  const message = `This record is not in the public stage. Name the stage "${stage}" to read its draft.`
  return new ApiError("NOT_FOUND", { message, context: { collection: resource.name, id: stored, stage } })
}
