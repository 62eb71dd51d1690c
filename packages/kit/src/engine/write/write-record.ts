import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer, JsonAnswer } from "../read/answer.ts"
import { checkRevision } from "../read/revision.ts"
import { type RecordInput, withAllProblems } from "./all-problems.ts"
import type { DescribedRecord, InputWrite, ParsedInput } from "./described-write.ts"
import { hasChangeHooks, namedValues, parseHookedInput, readWholeRow } from "./hooks.ts"
import { parseCreateInput, parseUpdateInput } from "./input.ts"
import { writeInOneStatement, writeInOneStatementAsJson } from "./one-statement.ts"
import { noStep, type WriteSteps, writeInTransaction } from "./order.ts"
import { refuseProposedRow, rulesOnProposedRow } from "./proposed-row.ts"
import { takeNestedWrites } from "./relations/nested.ts"
import { checkWrittenRow, readWrittenRow, type WriteRights, writePredicates } from "./rights.ts"
import { ROW_STEPS, type RowChange } from "./write-row.ts"

/** A write to one record, as its operation describes it. */
interface RecordWrite extends DescribedRecord {
  /** Runs the hooks before the change, and returns the change to write. */
  prepare(ctx: WriteContext): Promise<RecordChange>
}

/** The change of a record, with the rights of the caller in the fields that it changes. */
interface RecordChange extends RowChange {
  readonly rights: WriteRights
}

type RecordSteps = WriteSteps<void, RecordChange, Answer<RecordData>>

/** Returns the steps of a write to one record. */
export function recordSteps({ rights, lock, revision, prepare }: RecordWrite): RecordSteps {
  return {
    ...ROW_STEPS,
    lock: lock ?? noStep,
    checkRevision: (ctx) => (revision ? checkRevision(ctx, revision, rights) : noStep()),
    prepare,
    writeRows: writeProposedRow,
    checkResult: (ctx, change) => checkWrittenRow(ctx, change, change.rights),
    readBack: (ctx, change) => readWrittenRow(ctx, change, change.rights),
  }
}

async function writeProposedRow(ctx: WriteContext, change: RecordChange): Promise<void> {
  const rules = await rulesOnProposedRow(ctx, change.nested, writePredicates(change.rights))
  const { rows } = await ctx.connection.query(change.statement(rules))
  await refuseProposedRow(ctx, { ...change, rules }, rows[0])
  await change.writeDerived?.(ctx)
}

/** Writes the caller's input to one record, and returns the record in one form or another. */
export type InputWriter<Result> = (ctx: OperationContext, write: InputWrite) => Promise<Result>

/** Writes the caller's input to one record, in a single statement if nothing depends on the row. */
export function writeInput(ctx: OperationContext, write: InputWrite): Promise<Answer<RecordData>> {
  return parseAndWrite(ctx, write, writeInOneStatement)
}

/** Like `writeInput`, but returns JSON text if PostgreSQL can build the JSON. */
export function writeInputAsJson(ctx: OperationContext, write: InputWrite): Promise<JsonAnswer | Answer<RecordData>> {
  return parseAndWrite(ctx, write, writeInOneStatementAsJson)
}

type WriteAtOnce<Result> = (
  ctx: OperationContext,
  write: InputWrite,
  parsed: ParsedInput,
) => MaybePromise<Result | undefined>

function parseAndWrite<Result>(
  ctx: OperationContext,
  write: InputWrite,
  writeAtOnce: WriteAtOnce<Result>,
): Promise<Result | Answer<RecordData>> {
  return withAllProblems(ctx, [recordInput(write)], async () => {
    const parsed = await parseWithoutHooks(ctx, write)
    const answer = parsed && (await writeAtOnce(ctx, write, parsed))
    return answer ?? writeInTransaction(ctx, inputSteps(write, parsed))
  })
}

/** Returns the input of the record that the write creates or updates. */
export function recordInput({ resource, id, data }: InputWrite): RecordInput {
  return { resource, data, isNew: id === undefined }
}

/**
 * Parses the input if no change hook will run on it. Errors in such an input come before all errors about the record.
 */
export function parseWithoutHooks(ctx: OperationContext, write: InputWrite): MaybePromise<ParsedInput | undefined> {
  const { resource, id, data } = write
  if (hasChangeHooks(resource)) return undefined
  const parse = id === undefined ? parseCreateInput : parseUpdateInput
  return whenReady(parse(ctx, { resource, data }), (values) => parsedInput(write, { values, original: null }))
}

function parsedInput(
  { resource }: InputWrite,
  { values, original }: Pick<ParsedInput, "values" | "original">,
): ParsedInput {
  return { values, nested: takeNestedWrites(resource, values), original }
}

/** Returns the steps of a write of the caller's input. `parsed` is undefined if change hooks run on the input. */
export function inputSteps(write: InputWrite, parsed: ParsedInput | undefined): RecordSteps {
  return recordSteps({
    ...write,
    prepare: async (ctx) => recordChange(ctx, write, parsed ?? (await parseWithHooks(ctx, write))),
  })
}

async function parseWithHooks(ctx: WriteContext, write: InputWrite): Promise<ParsedInput> {
  const { resource, id } = write
  const original = id === undefined ? null : await readWholeRow(ctx, resource, id)
  return parsedInput(write, { values: await parseHookedInput(ctx, { ...write, original }), original })
}

function recordChange(ctx: WriteContext, write: InputWrite, input: ParsedInput): RecordChange {
  const { resource, operation, stage, rights } = write
  const { values, nested, original } = input
  // The hooks get the data without the values that `complete` adds to it.
  const completed = { resource, operation, data: namedValues(values), original, stage }
  const { id, statement } = write.complete(ctx, values)
  return { resource, id, values, nested, rights, statement, completed }
}
