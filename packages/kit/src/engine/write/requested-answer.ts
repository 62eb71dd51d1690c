import { inWrittenStage, type WrittenStage } from "../access/stage.ts"
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
export async function withRequestedSelection(
  ctx: OperationContext,
  { given, ...written }: RequestedAnswer,
  rights: WriteRights,
): Promise<WriteRights> {
  const { with: related, columns, stage: named } = given?.options ?? {}
  const isWhole = related === undefined && columns === undefined
  if (given === undefined || isWhole || rights.read.kind === "deny") return rights
  const options = { with: related, columns }
  const staged = await inWrittenStage(ctx, { ...written, named }, options)
  const reading = await readingFor(staged.ctx, staged.resource, { ...given, options })
  const selection = parseRecordSelection({ resource: staged.resource, given: { ...given, options }, reading })
  return { ...rights, selection, areUnconditional: false }
}
