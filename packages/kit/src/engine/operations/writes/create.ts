import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { type MaybePromise, whenReady } from "../../../schema/context/when-ready.ts"
import { insertRow, insertRuledRow } from "../../../sql/write/write.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { authorize } from "../../access/authorize.ts"
import { writtenStage } from "../../access/stage.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import type { Answer, JsonAnswer } from "../../read/answer.ts"
import { withAllProblems } from "../../write/all-problems.ts"
import { rightsOnCopy } from "../../write/copies/copy-rights.ts"
import { writableCopyIn } from "../../write/copies/stage-copies.ts"
import type { InputWrite } from "../../write/described-write.ts"
import { inputForRules } from "../../write/input.ts"
import { runWrite } from "../../write/order.ts"
import { withRequestedSelection } from "../../write/requested-answer.ts"
import { readWrittenRow, resolveWriteRights, type WriteRights } from "../../write/rights.ts"
import { addServerFields } from "../../write/server-fields.ts"
import { withRetries } from "../../write/with-retries.ts"
import {
  type InputWriter,
  inputSteps,
  parseWithoutHooks,
  recordInput,
  writeInput,
  writeInputAsJson,
} from "../../write/write-record.ts"
import { checkFirstTransition, newRecordTransition } from "./transition.ts"

/** Creates a record. The create rule is evaluated before the write, and again on the stored row. */
export function createRecord(
  ctx: OperationContext,
  resource: Resource,
  record: CreateInput,
): Promise<Answer<RecordData>> {
  return createAndAnswer(ctx, { resource, record }, writeInput)
}

/** Like `createRecord`, but returns JSON text if PostgreSQL can build the JSON. */
export function createRecordAsJson(
  ctx: OperationContext,
  resource: Resource,
  record: CreateInput,
): Promise<JsonAnswer | Answer<RecordData>> {
  return createAndAnswer(ctx, { resource, record }, writeInputAsJson)
}

function createAndAnswer<Result>(
  ctx: OperationContext,
  create: ResourceCreate,
  write: InputWriter<Result>,
): Promise<Result | Answer<RecordData>> {
  const { resource, record } = create
  const stage = writtenStage(resource, record.stage)
  if (stage !== undefined) return withRetries(ctx, (attempt) => createInStage(attempt, resource, { ...record, stage }))
  return withRetries(ctx, (attempt) => createOnce(attempt, create, write))
}

interface CreateInput {
  readonly data: unknown
  /** The workflow stage to which the new record transitions in the same transaction. Default: the initial stage. */
  readonly stage?: unknown
  /** The options that may request a selection of the record for the response. */
  readonly given?: UncheckedOptions | undefined
}

interface ResourceCreate {
  readonly resource: Resource
  readonly record: CreateInput
}

function createOnce<Result>(
  ctx: OperationContext,
  { resource, record: { data, given } }: ResourceCreate,
  write: InputWriter<Result>,
): MaybePromise<Result> {
  if (resource.upload)
    throw invalid("", `Records of "${resource.name}" come with a file: POST /${resource.name}/upload.`)
  const facts = { operation: "create", input: inputForRules(data) } as const
  return whenReady(resolveWriteRights(ctx, resource, facts), (allowed) =>
    whenReady(withRequestedSelection(ctx, { resource, given }, allowed), (rights) =>
      write(ctx, creation({ resource, data }, rights)),
    ),
  )
}

/** A record before it is stored. */
interface NewRecord {
  readonly resource: Resource
  /** The caller's input. */
  readonly data: unknown
  /** The values that only the server sets. */
  readonly serverValues?: ReadonlyMap<ResourceField, unknown>
}

/** Stores a new record for a caller whose rights have already been resolved. */
export function storeRecord(
  ctx: OperationContext,
  record: NewRecord,
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  return writeInput(ctx, creation(record, rights))
}

function creation({ resource, data, serverValues = new Map() }: NewRecord, rights: WriteRights): InputWrite {
  return {
    resource,
    operation: "create",
    data,
    rights,
    complete: (ctx, values) => {
      for (const [field, value] of serverValues) values.set(field, value)
      const id = addServerFields(ctx, resource, values)
      return {
        id,
        statement: (rules) => insertRuledRow(resource, values, rules),
        statementReturning: (fields) => insertRow(resource, values, fields),
      }
    },
  }
}

/**
 * Creates a record and transitions it to `stage`, in one transaction. The caller needs the right to create and the
 * right to transition, and the workflow must allow the transition from the initial stage.
 */
async function createInStage(
  ctx: OperationContext,
  resource: Resource,
  { data, stage, given }: CreateInput & { readonly stage: string },
): Promise<Answer<RecordData>> {
  checkFirstTransition(resource, stage)
  const rights = await resolveWriteRights(ctx, resource, { operation: "create", input: inputForRules(data), stage })
  const access = await authorize(ctx, resource, { operation: "transition", stage })
  const copy = writableCopyIn(ctx, resource, stage)
  const ownRights = await rightsOnCopy(ctx, copy, { rights, stage })
  const onCopy = await withRequestedSelection(ctx, { resource, stage, given }, ownRights)
  const write = creation({ resource, data }, rights)
  return withAllProblems(ctx, [recordInput(write)], async () => {
    const steps = inputSteps(write, await parseWithoutHooks(ctx, write))
    return ctx.connection.transaction(async (connection) => {
      const inner = { ...ctx, connection }
      const id = await runWrite(inner, { ...steps, readBack: async (_ctx, change) => change.id })
      await runWrite(inner, newRecordTransition({ resource, id, stage }, access))
      return readWrittenRow(inner, { resource: copy, id }, onCopy)
    })
  })
}
