import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { both, predicateOf } from "../../sql/filter/predicate.ts"
import { parseSelection } from "../../sql/parse/parse-selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { authorize } from "../access/authorize.ts"
import { inStage } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { checkOptions, readIncludeDeleted, type UncheckedOptions } from "../context/read-options.ts"
import { type Answer, answer } from "../read/answer.ts"
import { byId } from "../read/by-id.ts"
import { readForAnswer } from "../read/read-for-answer.ts"
import { answerRecord, runBeforeRead } from "../read/read-hooks.ts"
import { readingFor } from "../read/reading-for.ts"
import { withRevision } from "../read/revision.ts"
import { checkHydratedRecords, type RecordRead } from "./find.ts"

const ROW = { id: GLOBAL_ROW_ID } as const

/** Returns the record of the global, or null before its first write. */
export async function readGlobal(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<RecordData | null>> {
  return readPlannedGlobal(ctx, await planGlobal(ctx, resource, given))
}

/**
 * Parses the options of a `get` on a global, and checks them against the caller's rights. The returned read needs no
 * further checks.
 */
export async function planGlobal(
  outer: OperationContext,
  asked: Resource,
  given: UncheckedOptions,
): Promise<RecordRead> {
  checkOptions(outer, "record", given)
  const staged = inStage(outer, asked, given)
  const { ctx, resource } = staged instanceof Promise ? await staged : staged
  readIncludeDeleted(resource, given)
  const access = await authorize(ctx, resource, { operation: "read" })
  await runBeforeRead(ctx, resource, { operation: "get" })
  const selection = parseSelection(resource, given.options, await readingFor(ctx, resource, given))
  checkHydratedRecords(selection, 1)
  return { selection, predicate: both(byId(resource, ROW.id), predicateOf(access)) }
}

export async function readPlannedGlobal(
  ctx: OperationContext,
  { selection, predicate }: RecordRead,
): Promise<Answer<RecordData | null>> {
  const readSelection = withRevision(selection)
  const { rows } = await readForAnswer(ctx, selectMatching(readSelection, predicate))
  if (rows[0] === undefined) return answer(null, selection)
  return answerRecord(ctx, { selection, readSelection, operation: "get" }, rows[0])
}
