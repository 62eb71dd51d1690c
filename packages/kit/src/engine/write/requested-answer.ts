import type { MaybePromise } from "../../schema/context/when-ready.ts"
import { inWrittenStage, type NamedWrittenStage, type WrittenStage } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { parseRecordSelection } from "../read/plan-read.ts"
import { readingFor } from "../read/reading-for.ts"
import type { WriteRights } from "./rights.ts"

interface RequestedAnswer extends WrittenStage {
  readonly given: UncheckedOptions | undefined
}

/**
 * Returns the rights with the selection that the options `with` and `columns` request for the response. It is the same
 * selection as in a read of the written stage. A caller who may not read the record gets no fields, whatever the options
 * are.
 */
export function withRequestedSelection(
  ctx: OperationContext,
  { resource, stage, given }: RequestedAnswer,
  rights: WriteRights,
): MaybePromise<WriteRights> {
  if (given === undefined || rights.read.kind === "deny") return rights
  const { with: related, columns, stage: named } = given.options
  if (related === undefined && columns === undefined) return rights
  const selected = { isText: given.isText, options: { with: related, columns } }
  return selectRequested(ctx, { written: { resource, stage, named }, given: selected }, rights)
}

interface RequestedSelection {
  readonly written: NamedWrittenStage
  readonly given: UncheckedOptions
}

async function selectRequested(
  ctx: OperationContext,
  { written, given }: RequestedSelection,
  rights: WriteRights,
): Promise<WriteRights> {
  const staged = await inWrittenStage(ctx, written, given.options)
  const reading = await readingFor(staged.ctx, staged.resource, given)
  const selection = parseRecordSelection({ resource: staged.resource, given, reading })
  // A single statement returns columns of the written row, but no related records.
  const isOwn = selection.relations.length === 0 && selection.parts === undefined
  return { ...rights, selection, areUnconditional: rights.areUnconditional && isOwn }
}
