import type { Resource } from "../../../schema/compile/resource.ts"
import { lockCopy, updateCopyRow } from "../../../sql/write/write-copy.ts"
import { ApiError, type FieldError } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { authorize } from "../../access/authorize.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import type { ExpectedRevision } from "../../read/revision.ts"
import { inputForRules } from "../../write/input.ts"
import type { NestedWrites } from "../../write/relations/nested.ts"
import { bothAllow, lockForWrite, resolveWriteRights, rightsOnCopy, type WriteRights } from "../../write/rights.ts"
import { writableCopyIn } from "../../write/stage-copies.ts"
import { stampUpdate, userOf } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"
import { writeInput } from "../../write/write-record.ts"

interface CopyChange {
  readonly id: unknown
  readonly data: unknown
  readonly expected?: ExpectedRevision | undefined
  /** The stage whose copy is updated. It can be any stage except the initial stage. */
  readonly stage: string
}

/**
 * Updates the copy of a record or global in a stage, and not its working copy. The caller needs the right to update and
 * the right to transition to that stage. The rules for both rights are evaluated on the working copy, and again on the
 * updated copy.
 */
export function updateCopy(ctx: OperationContext, resource: Resource, change: CopyChange): Promise<Answer<RecordData>> {
  return withRetries(ctx, (attempt) => updateOnce(attempt, resource, change))
}

async function updateOnce(ctx: OperationContext, resource: Resource, change: CopyChange): Promise<Answer<RecordData>> {
  const { stage, expected, data } = change
  const copy = writableCopyIn(ctx, resource, stage)
  const rights = await resolveCopyRights(ctx, resource, change)
  const onCopy = await rightsOnCopy(ctx, copy, { rights, stage })
  const id = requireId(resource, change.id)
  return await writeInput(ctx, {
    resource: copy,
    id,
    operation: "update",
    data,
    stage,
    rights: onCopy,
    lock: async (inner) => {
      await lockForWrite(inner, { resource, id }, rights)
      await requireCopy(inner, { copy, id, stage })
    },
    revision: { resource: copy, id, expected },
    checkNested: rejectHasManyWrites,
    complete: (inner, values) => {
      // `versions` is left out, because the user who made a version is stored only in the row of the working copy.
      stampUpdate(inner, { resource: { ...copy, versions: undefined }, id }, values)
      return { id, statement: () => updateCopyRow(copy, { id, values, user: userOf(inner) }) }
    },
  })
}

async function resolveCopyRights(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, data, stage }: CopyChange,
): Promise<WriteRights> {
  const id = canonicalId(resource, asked)
  const rights = await resolveWriteRights(ctx, resource, { operation: "update", id, input: inputForRules(data), stage })
  const transition = await authorize(ctx, resource, { operation: "transition", id, stage })
  return { ...rights, write: bothAllow(rights.write, transition) }
}

interface StageCopy {
  readonly copy: Resource
  readonly id: string
  readonly stage: string
}

async function requireCopy(ctx: WriteContext, { copy, id, stage }: StageCopy): Promise<void> {
  const { rows } = await ctx.connection.query(lockCopy(copy, id))
  if (rows.length > 0) return
  const message = `The record is not in the stage "${stage}". Move it there with a transition.`
  throw new ApiError("NOT_FOUND", { message, context: { collection: copy.name, id } })
}

// Throws if the input changes a has-many relation. Such a relation is stored in the rows of the related records, which
// have stages of their own.
function rejectHasManyWrites({ many }: NestedWrites): void {
  const others = many.filter(({ relation }) => relation.kind === "hasMany")
  const fieldErrors = others.map(({ field }): FieldError => {
    return { path: field.name, message: "An update of a stage cannot change related records. Update them separately." }
  })
  if (fieldErrors.length > 0) throw new ApiError("VALIDATION_ERROR", { fieldErrors })
}
