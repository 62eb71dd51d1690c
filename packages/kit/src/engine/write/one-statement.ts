import type { Statement } from "../../ports/database.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import type { Returning } from "../../sql/changes/changes.ts"
import { canBeJson } from "../../sql/read/select-json.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type Answer, type JsonAnswer, jsonAnswer } from "../read/answer.ts"
import { answerRecord } from "../read/read-hooks.ts"
import { withRevision } from "../read/revision.ts"
import { affectsContent } from "../search/index/content.ts"
import type { InputWrite, ParsedInput } from "./described-write.ts"
import { hasWriteHooks } from "./hooks.ts"
import { mayReferByParts } from "./relations/part-targets.ts"
import { findMissingTarget } from "./relations/relation-targets.ts"
import { runWriteStatement } from "./write-statement.ts"

/**
 * Writes the record in one SQL statement, without a transaction around it. That is possible if no rule depends on the
 * row, so that the write needs no lock and no check afterwards, and if no hook runs. Returns undefined if it is not
 * possible, or if there was no row to write: the general path then writes the record, or finds the error to throw.
 */
export function writeInOneStatement(
  ctx: OperationContext,
  write: InputWrite,
  parsed: ParsedInput,
): MaybePromise<Answer<RecordData> | undefined> {
  return whenReady(onlyStatement(ctx, write, parsed), (statement) => statement && writeRow(ctx, write, statement))
}

/**
 * Like `writeInOneStatement`, but returns JSON text if PostgreSQL can build the JSON. The row then never becomes a
 * JavaScript object.
 */
export function writeInOneStatementAsJson(
  ctx: OperationContext,
  write: InputWrite,
  parsed: ParsedInput,
): MaybePromise<JsonAnswer | Answer<RecordData> | undefined> {
  if (!canBeJson(write.rights.selection)) return writeInOneStatement(ctx, write, parsed)
  return whenReady(onlyStatement(ctx, write, parsed), (statement) => statement && writeRowAsJson(ctx, write, statement))
}

type WriteStatement = (returning: Returning) => Statement

// Returns the statement that does the whole write, or undefined if the write needs more than one.
function onlyStatement(
  ctx: OperationContext,
  { resource, rights, revision, complete }: InputWrite,
  { values, nested }: ParsedInput,
): MaybePromise<WriteStatement | undefined> {
  const isUnconditional = rights.areUnconditional && revision?.expected === undefined
  if (!ctx.hasShortcuts || !isUnconditional || nested || hasWriteHooks(resource)) return undefined
  if (affectsContent(ctx.schema, resource) || mayReferByParts(values)) return undefined
  const { statementReturning } = complete(ctx, values)
  if (statementReturning === undefined) return undefined
  return whenReady(findMissingTarget(ctx, values), (missing) => (missing ? undefined : statementReturning))
}

async function writeRow(
  ctx: OperationContext,
  { rights: { selection } }: InputWrite,
  statement: WriteStatement,
): Promise<Answer<RecordData> | undefined> {
  const readSelection = withRevision(selection)
  const { rows } = await runWriteStatement(ctx, statement(readSelection.fields))
  return rows[0] && answerRecord(ctx, { selection, readSelection, operation: "write" }, rows[0])
}

async function writeRowAsJson(
  ctx: OperationContext,
  { resource, rights: { selection } }: InputWrite,
  statement: WriteStatement,
): Promise<JsonAnswer | undefined> {
  const { rows } = await runWriteStatement(ctx, statement(selection))
  if (rows[0] === undefined) return undefined
  const [json, revision] = rows[0]
  const headers = resource.revision && { headers: { "x-revision": String(revision) } }
  return { ...jsonAnswer(String(json), selection), ...headers }
}
