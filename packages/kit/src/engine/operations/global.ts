import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { both, predicateOf } from "../../sql/filter/predicate.ts"
import { parseSelection } from "../../sql/parse/parse-selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { lockFirstWrite } from "../../sql/write/first-write.ts"
import { insertRow, updateRow } from "../../sql/write/write.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { authorize } from "../access/authorize.ts"
import { inStage, writtenStage } from "../access/stage.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { checkOptions, readIncludeDeleted, type UncheckedOptions } from "../context/read-options.ts"
import { type Answer, answer } from "../read/answer.ts"
import { byId } from "../read/by-id.ts"
import { readForAnswer } from "../read/read-for-answer.ts"
import { answerRecord, runBeforeRead } from "../read/read-hooks.ts"
import { readingFor } from "../read/reading-for.ts"
import { checkRevision, type ExpectedRevision, withRevision } from "../read/revision.ts"
import { takeNestedWrites } from "../relations/nested.ts"
import { writeWithRelated } from "../relations/write-with-related.ts"
import { stampChange } from "../write/stamp.ts"
import { withRetries } from "../write/with-retries.ts"
import {
  type HookedChange,
  hasChangeHooks,
  namedValues,
  parseHookedInput,
  readWholeRow,
  runAfterChange,
} from "../write/write-hooks.ts"
import { type FieldInput, parseCreateInput, parseUpdateInput } from "../write/write-input.ts"
import {
  checkWrittenRow,
  lockForWrite,
  readWrittenRow,
  resolveWriteRights,
  type WriteRights,
} from "../write/write-rights.ts"
import { addServerFields, inputForRules } from "./create.ts"
import { checkHydratedRecords, type RecordRead } from "./find.ts"
import { updateCopy } from "./update-copy.ts"

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
  const { ctx, resource } = await inStage(outer, asked, given)
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

/** Updates the record of a global. The first update creates its row. */
export function updateGlobal(
  ctx: OperationContext,
  resource: Resource,
  change: GlobalUpdateInput,
): Promise<Answer<RecordData>> {
  const stage = writtenStage(resource, change.stage)
  if (stage !== undefined) return updateCopy(ctx, resource, { ...change, ...ROW, stage })
  return withRetries(ctx, (attempt) => updateOnce(attempt, resource, change))
}

interface GlobalUpdateInput {
  /** The workflow stage whose copy of the global is updated. Default: the working copy is updated. */
  readonly stage?: unknown
  readonly data: unknown
  readonly expected?: ExpectedRevision | undefined
}

async function updateOnce(
  ctx: OperationContext,
  resource: Resource,
  { data, expected }: GlobalUpdateInput,
): Promise<Answer<RecordData>> {
  const rights = await resolveWriteRights(ctx, resource, { operation: "update", input: inputForRules(data) })
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    if (await existsAfterLock(inner, resource)) await changeRow(inner, { resource, data, expected }, rights)
    else await createFirst(inner, { resource, data, expected }, rights)
    await checkWrittenRow(inner, { resource, ...ROW }, rights)
    return readWrittenRow(inner, { resource, ...ROW }, rights)
  })
}

// True if the global's row exists. If it does not, this takes a lock and looks again. Of two concurrent first writes,
// the second waits for the lock here, and then updates the row that the first has created.
async function existsAfterLock(ctx: WriteContext, resource: Resource): Promise<boolean> {
  if (await hasRow(ctx, resource)) return true
  await ctx.connection.query(lockFirstWrite(resource))
  return hasRow(ctx, resource)
}

async function hasRow(ctx: WriteContext, resource: Resource): Promise<boolean> {
  const selection = { resource, fields: [resource.id], relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, byId(resource, ROW.id)))
  return rows.length > 0
}

interface GlobalChange {
  readonly resource: Resource
  readonly data: unknown
  readonly expected: ExpectedRevision | undefined
}

async function createFirst(
  ctx: WriteContext,
  { resource, data, expected }: GlobalChange,
  rights: WriteRights,
): Promise<void> {
  await checkRevision(ctx, { resource, ...ROW, expected }, rights)
  const change = { resource, operation: "update", data, original: null } as const
  const values = await parseChange(ctx, change)
  const nested = takeNestedWrites(values)
  const written = namedValues(values)
  addServerFields(ctx, resource, values)
  values.set(resource.id, ROW.id)
  await writeWithRelated(ctx, { resource, ...ROW, values, nested }, () => insertRow(resource, values, []))
  await runAfterChange(ctx, { ...change, data: written }, ROW.id)
}

function parseChange(ctx: WriteContext, change: HookedChange): Promise<FieldInput> {
  const { resource, data, original } = change
  if (hasChangeHooks(resource)) return parseHookedInput(ctx, change)
  return original === null ? parseCreateInput(ctx, resource, data) : parseUpdateInput(ctx, resource, data)
}

async function changeRow(
  ctx: WriteContext,
  { resource, data, expected }: GlobalChange,
  rights: WriteRights,
): Promise<void> {
  await lockForWrite(ctx, { resource, ...ROW }, rights)
  await checkRevision(ctx, { resource, ...ROW, expected }, rights)
  const original = hasChangeHooks(resource) ? await readWholeRow(ctx, resource, ROW.id) : {}
  const change = { resource, operation: "update", data, original } as const
  const values = await parseChange(ctx, change)
  const nested = takeNestedWrites(values)
  const written = namedValues(values)
  stampChange(ctx, resource, values)
  const isChange = nested !== undefined || values.size > 0 || resource.revision !== undefined
  if (isChange)
    await writeWithRelated(ctx, { resource, ...ROW, values, nested }, () => updateRow(resource, { ...ROW, values }, []))
  await runAfterChange(ctx, { ...change, data: written }, ROW.id)
}
