import type { Resource } from "../../../schema/compile/resource.ts"
import { type MaybePromise, whenReady } from "../../../schema/context/when-ready.ts"
import { updateRow, updateRowReturningOld, updateRuledRow } from "../../../sql/write/write.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { writtenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import type { Answer, JsonAnswer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import type { ExpectedRevision } from "../../read/revision.ts"
import type { InputWrite } from "../../write/described-write.ts"
import { inputForRules } from "../../write/input.ts"
import { withRequestedSelection } from "../../write/requested-answer.ts"
import { lockForWrite, resolveWriteRights, type WriteRights } from "../../write/rights.ts"
import { stampUpdate } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"
import { type InputWriter, writeInput, writeInputAsJson } from "../../write/write-record.ts"
import { updateCopy } from "./update-copy.ts"

/** Updates one record. The update rule is evaluated before the write, and again on the updated row. */
export function updateRecord(
  ctx: OperationContext,
  resource: Resource,
  change: UpdateInput,
): Promise<Answer<RecordData>> {
  return updateAndAnswer(ctx, { resource, change }, writeInput)
}

/** Like `updateRecord`, but returns JSON text if PostgreSQL can build the JSON. */
export function updateRecordAsJson(
  ctx: OperationContext,
  resource: Resource,
  change: UpdateInput,
): Promise<JsonAnswer | Answer<RecordData>> {
  return updateAndAnswer(ctx, { resource, change }, writeInputAsJson)
}

function updateAndAnswer<Result>(
  ctx: OperationContext,
  { resource, change }: ResourceUpdate,
  write: InputWriter<Result>,
): Promise<Result | Answer<RecordData>> {
  const stage = writtenStage(resource, change.stage)
  if (stage !== undefined) return updateCopy(ctx, resource, { ...change, stage })
  return withRetries(ctx, (attempt) => updateOnce(attempt, { resource, change }, write))
}

export interface UpdateInput {
  readonly id: unknown
  /** The workflow stage whose copy of the record is updated. Default: the working copy is updated. */
  readonly stage?: unknown
  readonly data: unknown
  readonly expected?: ExpectedRevision | undefined
  /** The options that may request a selection of the record for the response. */
  readonly given?: UncheckedOptions | undefined
}

interface ResourceUpdate {
  readonly resource: Resource
  readonly change: UpdateInput
}

function updateOnce<Result>(
  ctx: OperationContext,
  { resource, change: { id: asked, data, expected, given } }: ResourceUpdate,
  write: InputWriter<Result>,
): MaybePromise<Result> {
  const facts = { operation: "update", id: canonicalId(resource, asked), input: inputForRules(data) } as const
  return whenReady(resolveWriteRights(ctx, resource, facts), (allowed) => {
    const id = requireId(resource, asked)
    return whenReady(withRequestedSelection(ctx, { resource, given }, allowed), (rights) =>
      write(ctx, updateOf({ resource, id, data, expected }, rights)),
    )
  })
}

/** The update of an existing record, or of a global after its first write. */
interface RecordUpdate {
  readonly resource: Resource
  readonly id: string
  readonly data: unknown
  readonly expected: ExpectedRevision | undefined
}

/** Describes an update to the write pipeline. */
export function updateOf({ resource, id, data, expected }: RecordUpdate, rights: WriteRights): InputWrite {
  return {
    resource,
    id,
    operation: "update",
    data,
    rights,
    lock: (ctx) => lockForWrite(ctx, { resource, id }, rights),
    revision: { resource, id, expected },
    complete: (ctx, values) => {
      stampUpdate(ctx, { resource, id }, values)
      const update = ctx.returnsOldRows ? updateRowReturningOld : updateRow
      return {
        id,
        statement: (rules) => updateRuledRow(resource, { id, values }, rules),
        statementReturning: (fields) => update(resource, { id, values }, fields),
      }
    },
  }
}
