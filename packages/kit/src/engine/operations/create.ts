import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { insertRow } from "../../sql/write/write.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { authorize } from "../access/authorize.ts"
import { writtenStage } from "../access/stage.ts"
import type { WriteContext } from "../context/hook-context.ts"
import { newId } from "../context/ids.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { answerRecord } from "../read/read-hooks.ts"
import { hasChangeHooks, hasWriteHooks, namedValues, parseHookedInput, runAfterChange } from "../write/hooks.ts"
import { type FieldInput, parseCreateInput } from "../write/input.ts"
import { type NestedWrites, takeNestedWrites } from "../write/relations/nested.ts"
import { checkRelationTargets } from "../write/relations/relation-targets.ts"
import { writeWithRelated } from "../write/relations/write-with-related.ts"
import { checkWrittenRow, readWrittenRow, resolveWriteRights, rightsOnCopy, type WriteRights } from "../write/rights.ts"
import { writableCopyIn } from "../write/stage-copies.ts"
import { stampChange } from "../write/stamp.ts"
import { withRetries } from "../write/with-retries.ts"
import { runWriteStatement } from "../write/write-statement.ts"
import { checkFirstTransition, transitionNewRecord } from "./transition.ts"

/** Creates a record. The create rule is evaluated before the write, and again on the stored row. */
export function createRecord(
  ctx: OperationContext,
  resource: Resource,
  { data, stage: named }: CreateInput,
): Promise<Answer<RecordData>> {
  const stage = writtenStage(resource, named)
  if (stage !== undefined) return withRetries(ctx, (attempt) => createInStage(attempt, resource, { data, stage }))
  return withRetries(ctx, (attempt) => createOnce(attempt, resource, data))
}

interface CreateInput {
  readonly data: unknown
  /** The workflow stage to which the new record transitions in the same transaction. Default: the initial stage. */
  readonly stage?: unknown
}

async function createOnce(ctx: OperationContext, resource: Resource, data: unknown): Promise<Answer<RecordData>> {
  if (resource.upload)
    throw invalid("", `Records of "${resource.name}" come with a file: POST /${resource.name}/upload.`)
  const rights = await resolveWriteRights(ctx, resource, { operation: "create", input: inputForRules(data) })
  return await storeRecord(ctx, { resource, data, serverValues: NO_SERVER_VALUES }, rights)
}

/**
 * Creates a record and transitions it to `stage`, in one transaction. The caller needs the right to create and the
 * right to transition, and the workflow must allow the transition from the initial stage.
 */
async function createInStage(
  ctx: OperationContext,
  resource: Resource,
  { data, stage }: { readonly data: unknown; readonly stage: string },
): Promise<Answer<RecordData>> {
  checkFirstTransition(resource, stage)
  const rights = await resolveWriteRights(ctx, resource, { operation: "create", input: inputForRules(data), stage })
  const transition = await authorize(ctx, resource, { operation: "transition", stage })
  const copy = writableCopyIn(ctx, resource, stage)
  const onCopy = await rightsOnCopy(ctx, copy, { rights, stage })
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    const record = { resource, data, serverValues: NO_SERVER_VALUES }
    // With `isNested`, no read hook runs on the stored record, because the caller gets the copy in the stage instead.
    const { value } = await storeRecord({ ...inner, isNested: true }, record, rights)
    const id = String(value[resource.id.name])
    await transitionNewRecord(inner, { resource, id, stage }, transition)
    return readWrittenRow(inner, { resource: copy, id }, onCopy)
  })
}

/** A record before it is stored: the caller's input, and in `serverValues` the values that only the server sets. */
interface NewRecord {
  readonly resource: Resource
  readonly data: unknown
  readonly serverValues: ReadonlyMap<ResourceField, unknown>
}

const NO_SERVER_VALUES: NewRecord["serverValues"] = new Map()

/** Stores a new record for a caller whose rights have already been resolved. */
export async function storeRecord(
  ctx: OperationContext,
  record: NewRecord,
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  const { resource, data } = record
  if (hasChangeHooks(resource)) {
    return ctx.connection.transaction((connection) => createWithHooks({ ...ctx, connection }, record, rights))
  }
  const values = await parseCreateInput(ctx, resource, data)
  const nested = takeNestedWrites(values)
  const id = addOwnFields(ctx, record, values)
  if (nested) return createWithRelated(ctx, { resource, id, values, nested }, rights)
  await checkRelationTargets(ctx, values)
  if (ctx.hasShortcuts && rights.areUnconditional && !hasWriteHooks(resource)) {
    return insertInOneStatement(ctx, { resource, values }, rights)
  }
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await connection.query(insertRow(resource, values, []))
    await checkWrittenRow(inner, { resource, id }, rights)
    return readWrittenRow(inner, { resource, id }, rights)
  })
}

function createWithRelated(ctx: OperationContext, row: NewRow, rights: WriteRights): Promise<Answer<RecordData>> {
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await storeRow(inner, row)
    await checkWrittenRow(inner, row, rights)
    return readWrittenRow(inner, row, rights)
  })
}

async function createWithHooks(ctx: WriteContext, record: NewRecord, rights: WriteRights): Promise<Answer<RecordData>> {
  const { resource, data } = record
  const change = { resource, operation: "create", data, original: null } as const
  const values = await parseHookedInput(ctx, change)
  const nested = takeNestedWrites(values)
  const written = namedValues(values)
  const id = addOwnFields(ctx, record, values)
  await storeRow(ctx, { resource, id, values, nested })
  await checkWrittenRow(ctx, { resource, id }, rights)
  await runAfterChange(ctx, { ...change, data: written }, id)
  return readWrittenRow(ctx, { resource, id }, rights)
}

interface NewRow {
  readonly resource: Resource
  readonly id: string
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
}

function storeRow(ctx: OperationContext, row: NewRow): Promise<void> {
  return writeWithRelated(ctx, row, () => insertRow(row.resource, row.values, []))
}

/** Returns the input of a write as access rules receive it: the object, or undefined if the input is not an object. */
export function inputForRules(data: unknown): RecordData | undefined {
  // The cast is safe: the value is an object and not an array, and the type of its properties stays unknown.
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as RecordData) : undefined
}

function addOwnFields(ctx: OperationContext, { resource, serverValues }: NewRecord, values: FieldInput): string {
  for (const [field, value] of serverValues) values.set(field, value)
  return addServerFields(ctx, resource, values)
}

/**
 * Sets the fields that only the server writes, and returns the record's id. If callers choose the ids in this
 * collection, the input contains the id.
 */
export function addServerFields(ctx: OperationContext, resource: Resource, values: FieldInput): string {
  const now = stampChange(ctx, resource, values)
  const id = resource.id.system ? newId(now) : idFromInput(resource, values)
  values.set(resource.id, id)
  if (resource.revision) values.set(resource.revision, 1)
  if (resource.versions) values.set(resource.versions.number, 1)
  if (resource.workflow) values.set(resource.workflow.stage, resource.workflow.initial)
  if (resource.createdAt) values.set(resource.createdAt, now)
  return id
}

function idFromInput(resource: Resource, values: FieldInput): string {
  const id = values.get(resource.id)
  if (typeof id === "string") return id
  throw new Error(`A beforeChange hook of "${resource.name}" left out the id, which every new record needs.`)
}

async function insertInOneStatement(
  ctx: OperationContext,
  { resource, values }: { resource: Resource; values: FieldInput },
  { selection }: WriteRights,
): Promise<Answer<RecordData>> {
  const { rows } = await runWriteStatement(ctx, insertRow(resource, values, selection.fields))
  return answerRecord(ctx, { selection, operation: "write" }, rows[0] ?? [])
}
