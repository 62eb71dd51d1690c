import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { checkRevision, type RevisionCheck } from "../read/revision.ts"
import { type HookedChange, hasChangeHooks, namedValues, parseHookedInput, readWholeRow } from "./hooks.ts"
import { type FieldInput, parseCreateInput, parseUpdateInput } from "./input.ts"
import { writeInOneStatement } from "./one-statement.ts"
import { noStep, type WriteSteps, writeInTransaction } from "./order.ts"
import { type NestedWrites, takeNestedWrites } from "./relations/nested.ts"
import { checkWrittenRow, readWrittenRow, type WriteRights } from "./rights.ts"
import { ROW_STEPS, type RowChange } from "./write-row.ts"

/** A write to one record, as its operation describes it. */
interface RecordWrite {
  readonly rights: WriteRights
  /** Locks the record, and evaluates the rules on it. Absent for a new record. */
  lock?(ctx: WriteContext): Promise<void>
  /** The revision that the caller expects the record to have. Absent for a new record. */
  readonly revision?: RevisionCheck
  prepare(ctx: WriteContext): Promise<RecordChange>
}

/** The change of a record, with the rights of the caller in the fields that it changes. */
export interface RecordChange extends RowChange {
  readonly rights: WriteRights
}

export type RecordSteps = WriteSteps<void, RecordChange, Answer<RecordData>>

/** Returns the steps of a write to one record. */
export function recordSteps({ rights, lock, revision, prepare }: RecordWrite): RecordSteps {
  return {
    ...ROW_STEPS,
    lock: lock ?? noStep,
    checkRevision: (ctx) => (revision ? checkRevision(ctx, revision, rights) : noStep()),
    prepare,
    checkResult: (ctx, change) => checkWrittenRow(ctx, change, change.rights),
    readBack: (ctx, change) => readWrittenRow(ctx, change, change.rights),
  }
}

/** A write of the caller's input to one record: a create or an update. */
export interface InputWrite extends Omit<RecordWrite, "prepare"> {
  readonly resource: Resource
  /** The id of the record. Absent for a new record. */
  readonly id?: string
  readonly operation: HookedChange["operation"]
  readonly data: unknown
  /** The stage whose copy of the record is written. */
  readonly stage?: string
  /** Throws if the input may not have these nested writes. */
  checkNested?(nested: NestedWrites): void
  /** Adds the values that the server sets, and returns the row to write. */
  complete(ctx: OperationContext, values: FieldInput): CompleteRow
}

/** A row with all its values, and the statement that writes it. */
interface CompleteRow {
  readonly id: string
  statement(): Statement
  /** Returns a statement that writes the row and returns these fields. Absent if the write needs several statements. */
  statementReturning?(fields: readonly ResourceField[]): Statement
}

/** The input of a write after it was parsed. */
export interface ParsedInput {
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
  readonly original: HookedChange["original"]
}

/** Writes the caller's input to one record, in a single statement if nothing depends on the row. */
export async function writeInput(ctx: OperationContext, write: InputWrite): Promise<Answer<RecordData>> {
  const parsed = await parseWithoutHooks(ctx, write)
  const answer = parsed && (await writeInOneStatement(ctx, write, parsed))
  return answer ?? writeInTransaction(ctx, inputSteps(write, parsed))
}

/**
 * Parses the input if no change hook will run on it. Errors in such an input come before all errors about the record.
 */
export async function parseWithoutHooks(ctx: OperationContext, write: InputWrite): Promise<ParsedInput | undefined> {
  const { resource, id, data } = write
  if (hasChangeHooks(resource)) return undefined
  const parse = id === undefined ? parseCreateInput : parseUpdateInput
  return parsedInput(write, { values: await parse(ctx, resource, data), original: null })
}

function parsedInput(
  { checkNested }: InputWrite,
  { values, original }: Pick<ParsedInput, "values" | "original">,
): ParsedInput {
  const nested = takeNestedWrites(values)
  if (nested) checkNested?.(nested)
  return { values, nested, original }
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
  const completed = { resource, operation, data: namedValues(values), original, stage }
  const { id, statement } = write.complete(ctx, values)
  return { resource, id, values, nested, rights, statement, completed }
}
