import { GLOBAL_ROW_ID, type Resource } from "../../schema/resource.ts"
import { parseSelection } from "../../sql/parse-selection.ts"
import { both, predicateOf } from "../../sql/predicate.ts"
import { selectMatching } from "../../sql/select.ts"
import { insertRowIfAbsent, updateRow } from "../../sql/write.ts"
import type { RecordData } from "../../wire/operations.ts"
import { type Answer, answer } from "../answer.ts"
import { authorize } from "../authorize.ts"
import { byId } from "../by-id.ts"
import type { OperationContext } from "../operation-context.ts"
import { checkOptions, type GivenOptions } from "../read-options.ts"
import { toRecord } from "../records.ts"
import { checkRelationTargets } from "../relation-targets.ts"
import { parseCreateInput, parseUpdateInput } from "../write-input.ts"
import { checkWrittenRow, lockForWrite, readWrittenRow, resolveWriteRights, type WriteRights } from "../write-rights.ts"
import { addServerFields, dataOf } from "./create.ts"
import { readingFor } from "./find.ts"

const ROW = { id: GLOBAL_ROW_ID } as const

/** The global, or null before it has ever been written. */
export async function readGlobal(
  ctx: OperationContext,
  resource: Resource,
  given: GivenOptions,
): Promise<Answer<RecordData | null>> {
  checkOptions(ctx, "record", given)
  const access = await authorize(ctx, resource, { operation: "read" })
  const selection = parseSelection(resource, given.options, await readingFor(ctx, resource, given))
  const predicate = both(byId(resource, ROW.id), predicateOf(access))
  const { rows } = await ctx.connection.query(selectMatching(selection, predicate))
  return answer(rows[0] === undefined ? null : toRecord(selection, rows[0]), selection)
}

/** Changes the global; the first change creates it. */
export async function updateGlobal(
  ctx: OperationContext,
  resource: Resource,
  data: unknown,
): Promise<Answer<RecordData>> {
  const rights = await resolveWriteRights(ctx, resource, { operation: "update", input: dataOf(data) })
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    const isChanged = (await isWritten(inner, resource)) || !(await createFirst(inner, resource, data))
    if (isChanged) await changeRow(inner, { resource, data }, rights)
    await checkWrittenRow(inner, { resource, ...ROW }, rights)
    return readWrittenRow(inner, { resource, ...ROW }, rights)
  })
}

async function isWritten(ctx: OperationContext, resource: Resource): Promise<boolean> {
  const selection = { resource, fields: [resource.id], relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, byId(resource, ROW.id)))
  return rows.length > 0
}

// Two first writers may meet here: the later one finds the row written and changes it instead.
async function createFirst(ctx: OperationContext, resource: Resource, data: unknown): Promise<boolean> {
  const values = await parseCreateInput(ctx, resource, data)
  addServerFields(ctx, resource, values)
  values.set(resource.id, ROW.id)
  await checkRelationTargets(ctx, values)
  const { rowCount } = await ctx.connection.query(insertRowIfAbsent(resource, values, []))
  return rowCount === 1
}

async function changeRow(
  ctx: OperationContext,
  { resource, data }: { resource: Resource; data: unknown },
  rights: WriteRights,
): Promise<void> {
  const values = await parseUpdateInput(ctx, resource, data)
  if (resource.updatedAt) values.set(resource.updatedAt, ctx.now())
  await lockForWrite(ctx, { resource, ...ROW }, rights)
  await checkRelationTargets(ctx, values)
  if (values.size > 0) await ctx.connection.query(updateRow(resource, { ...ROW, values }, []))
}
