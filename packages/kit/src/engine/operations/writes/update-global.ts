import { GLOBAL_ROW_ID, type Resource } from "../../../schema/compile/resource.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { lockFirstWrite } from "../../../sql/write/first-write.ts"
import { insertRuledRow } from "../../../sql/write/write.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { writtenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { byId } from "../../read/by-id.ts"
import type { InputWrite } from "../../write/described-write.ts"
import { inputForRules } from "../../write/input.ts"
import { withRequestedSelection } from "../../write/requested-answer.ts"
import { resolveWriteRights, type WriteRights } from "../../write/rights.ts"
import { addServerFields } from "../../write/server-fields.ts"
import { withRetries } from "../../write/with-retries.ts"
import { writeInput } from "../../write/write-record.ts"
import { type UpdateInput, updateOf } from "./update.ts"
import { updateCopy } from "./update-copy.ts"

const ROW = { id: GLOBAL_ROW_ID } as const

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

type GlobalUpdateInput = Omit<UpdateInput, "id">

async function updateOnce(
  ctx: OperationContext,
  resource: Resource,
  { data, expected, given }: GlobalUpdateInput,
): Promise<Answer<RecordData>> {
  const allowed = await resolveWriteRights(ctx, resource, { operation: "update", input: inputForRules(data) })
  const rights = await withRequestedSelection(ctx, { resource, given }, allowed)
  const update = updateOf({ resource, ...ROW, data, expected }, rights)
  if (await hasRow(ctx, resource)) return await writeInput(ctx, update)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    // If two first writes run concurrently, one waits for this lock, and then updates the row that the other has created.
    await connection.query(lockFirstWrite(resource))
    return writeInput(inner, (await hasRow(inner, resource)) ? update : firstUpdateOf(update, rights))
  })
}

async function hasRow({ connection }: OperationContext, resource: Resource): Promise<boolean> {
  const selection = { resource, fields: [resource.id], relations: [] }
  const { rows } = await connection.query(selectMatching(selection, byId(resource, ROW.id)))
  return rows.length > 0
}

function firstUpdateOf({ resource, data, revision }: InputWrite, rights: WriteRights): InputWrite {
  return {
    resource,
    operation: "update",
    data,
    rights,
    ...(revision && { revision }),
    complete: (ctx, values) => {
      addServerFields(ctx, resource, values)
      values.set(resource.id, ROW.id)
      return { ...ROW, statement: (rules) => insertRuledRow(resource, values, rules) }
    },
  }
}
