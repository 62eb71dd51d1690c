import type { Resource } from "../../../schema/compile/resource.ts"
import { updateCopies } from "../../../sql/write/write-copy.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import type { Answer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import type { ExpectedRevision } from "../../read/revision.ts"
import { requireCopies, resolveCopyRights } from "../../write/copies/copy-rights.ts"
import { inputForRules } from "../../write/input.ts"
import { withRequestedSelection } from "../../write/requested-answer.ts"
import { lockForWrite } from "../../write/rights.ts"
import { stampChange, userOf } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"
import { writeInput } from "../../write/write-record.ts"

interface CopyChange {
  readonly id: unknown
  readonly data: unknown
  readonly expected?: ExpectedRevision | undefined
  /** The stage whose copy is updated. It can be any stage except the initial stage. */
  readonly stage: string
  /** The options that may request a selection of the record for the response. */
  readonly given?: UncheckedOptions | undefined
}

/**
 * Updates the copy of a record or global in a stage, and not its working copy. The caller needs the right to update and
 * the right to transition to that stage. The rules for both rights are evaluated on the working copy, and again on the
 * updated copy.
 */
export function updateCopy(ctx: OperationContext, resource: Resource, change: CopyChange): Promise<Answer<RecordData>> {
  return withRetries(ctx, (attempt) => updateOnce(attempt, resource, change))
}

async function updateOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, stage, expected, data, given }: CopyChange,
): Promise<Answer<RecordData>> {
  const facts = { operation: "update", id: canonicalId(resource, asked), input: inputForRules(data), stage } as const
  const { copy, onWorking, onCopy } = await resolveCopyRights(ctx, resource, facts)
  const id = requireId(resource, asked)
  return await writeInput(ctx, {
    resource: copy,
    id,
    operation: "update",
    data,
    stage,
    rights: await withRequestedSelection(ctx, { resource, stage, given }, onCopy),
    lock: async (inner) => {
      await lockForWrite(inner, { resource, id }, onWorking)
      await requireCopies(inner, { copy, stage, ids: [id] })
    },
    revision: { resource: copy, id, expected },
    complete: (inner, values) => {
      stampChange(inner, copy, values)
      return { id, statement: (rules) => updateCopies(copy, { ids: [id], values, user: userOf(inner) }, rules) }
    },
  })
}
