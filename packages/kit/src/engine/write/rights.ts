import type { RowValues } from "../../ports/database.ts"
import type { AccessOperation } from "../../schema/access/access.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { maskedComparisons } from "../../sql/filter/masked-field.ts"
import {
  type Access,
  ALWAYS,
  activeRows,
  both,
  isAlways,
  type Predicate,
  predicateOf,
} from "../../sql/filter/predicate.ts"
import { typedParseContext } from "../../sql/parse/parse-context.ts"
import { wholeSelection } from "../../sql/parse/parse-selection.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { evaluateRow, lockRow, lockRowNoKeyUpdate } from "../../sql/write/write.ts"
import type { ApiError } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { authorize, type CallFacts, denied, evaluateAccess, fieldRule, ruleOf } from "../access/authorize.ts"
import { evaluateInputFields, type FieldCondition, refuseFields } from "../access/field-rights.ts"
import { evaluateDrafts, rowsVisibleWithDrafts } from "../access/stage.ts"
import { visibilityOf } from "../access/visibility.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type Answer, answer } from "../read/answer.ts"
import { byId, recordNotFound } from "../read/by-id.ts"
import { readForAnswer } from "../read/read-for-answer.ts"
import { answerRecord } from "../read/read-hooks.ts"
import { withRevision } from "../read/revision.ts"
import { affectsContent } from "../search/index/content.ts"

/** The caller's rights in a write, and the fields of the record that the response contains. */
export interface WriteRights {
  readonly operation: CallFacts["operation"]
  readonly write: Access
  /**
   * The records that the caller may read by the read rule and the drafts rule. Includes soft-deleted records; only
   * `rows` excludes them.
   */
  readonly read: Access
  /**
   * The records that the caller may read by the read rule alone. Includes records that are visible only in their public
   * stage.
   */
  readonly readableByRule: Access
  /** The rows that the caller may see, either as drafts or in their public stage. */
  readonly visible: Predicate
  /** The rows that the operation applies to: active rows and, for a restore or purge, also soft-deleted rows. */
  readonly rows: Predicate
  readonly selection: Selection
  /** The input fields whose rules depend on the row, with the filters that these rules returned. */
  readonly fields: readonly FieldCondition[]
  /** True if no rule depends on the row, so that the write may be a single statement. */
  readonly areUnconditional: boolean
}

const NOTHING_REACHED: ReadonlySet<Resource> = new Set()

/**
 * Evaluates the rules of a write before the write has any effect. Throws if the rules deny the operation for every row.
 */
export function resolveWriteRights(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): MaybePromise<WriteRights> {
  return whenReady(resolveRowRights(ctx, resource, facts), (rights) =>
    whenReady(evaluateInputFields(ctx, resource, facts), (fields) =>
      fields.length === 0 ? rights : { ...rights, fields, areUnconditional: false },
    ),
  )
}

/**
 * Like `resolveWriteRights`, but without the field rules, for bulk writes that evaluate those for each row separately.
 */
export function resolveRowRights(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): MaybePromise<WriteRights> {
  if (!ctx.hasShortcuts || ctx.isSystem || ctx.drafts !== undefined) return evaluateRowRights(ctx, resource, facts)
  ctx.tables.requireUsable(resource)
  return constantRights.get(resource)?.get(facts.operation) ?? evaluateAndKeepRights(ctx, resource, facts)
}

// The rights in which no rule depends on the row, the caller or anything else: they are the same for every call. A
// resource differs for each locale and stage.
const constantRights = new WeakMap<Resource, Map<AccessOperation, WriteRights>>()

async function evaluateAndKeepRights(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<WriteRights> {
  const rights = await evaluateRowRights(ctx, resource, facts)
  if (!rights.areUnconditional || !hasConstantRules(resource, facts.operation)) return rights
  const kept = constantRights.get(resource) ?? new Map<AccessOperation, WriteRights>()
  constantRights.set(resource, kept.set(facts.operation, rights))
  return rights
}

// True if no rule that decides about the rights of a write is a function. A rule that is a function runs in every call.
function hasConstantRules(resource: Resource, operation: AccessOperation): boolean {
  const deciding: AccessOperation[] = [operation, "read", "drafts"]
  if (isForDeleted(operation)) deciding.push("delete")
  const rules = [
    ...deciding.map((each) => ruleOf(resource, each)),
    ...[...resource.fields.values()].map((field) => fieldRule(field, "read")),
  ]
  return !rules.some((rule) => typeof rule === "function")
}

function isForDeleted(operation: AccessOperation): boolean {
  return operation === "restore" || operation === "purge"
}

async function evaluateRowRights(ctx: OperationContext, resource: Resource, facts: CallFacts): Promise<WriteRights> {
  const write = await authorize(ctx, resource, facts)
  const readableByRule = await evaluateAccess(ctx, resource, { operation: "read", id: facts.id })
  const drafts = await evaluateDrafts(ctx, resource)
  const read = bothAllow(readableByRule, drafts)
  const visibility = await visibilityOf(ctx, resource, NOTHING_REACHED)
  const selection = wholeSelection(resource, typedParseContext(visibility))
  // A computed field's function runs after the write and may throw; the write is then rolled back. A single statement
  // commits immediately, so a write with computed fields, or with fields hidden in some rows, runs in a transaction.
  const hasMasks =
    selection.masked !== undefined || selection.fields.some((field) => maskedComparisons(field).length > 0)
  const isCertain = selection.computed === undefined && !hasMasks
  const areUnconditional = write.kind === "allow" && read.kind === "allow" && isCertain
  const rows = isForDeleted(facts.operation)
    ? await rowsWithDeleted(ctx, resource, { write, id: facts.id })
    : activeRows(resource)
  const visible = rowsVisibleWithDrafts(ctx, resource, { drafts })
  return {
    operation: facts.operation,
    write,
    read,
    readableByRule,
    visible,
    rows,
    selection,
    fields: [],
    areUnconditional,
  }
}

// Returns the active rows, and the soft-deleted rows that the caller may delete (as in a read with `includeDeleted`) or
// on which the caller may perform this operation.
async function rowsWithDeleted(
  ctx: OperationContext,
  resource: Resource,
  { write, id }: { readonly write: Access; readonly id: string | undefined },
): Promise<Predicate> {
  const deletable = await evaluateAccess(ctx, resource, { operation: "delete", id })
  if (write.kind === "allow" || deletable.kind === "allow") return ALWAYS
  return { kind: "any", parts: [activeRows(resource), predicateOf(deletable), predicateOf(write)] }
}

/** Returns the access that two rules allow together: both rules must allow a record. */
export function bothAllow(left: Access, right: Access): Access {
  if (left.kind === "deny" || right.kind === "allow") return left
  return right.kind === "deny" ? right : { kind: "where", predicate: both(predicateOf(left), right.predicate) }
}

/**
 * Locks the record. Throws NOT_FOUND if the caller may not read the record, and a denial if they may read but not write
 * it.
 */
export async function lockForWrite(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<void> {
  // A transition copies the record's links, and the foreign keys of the new links lock the records at their other end.
  // A transition takes the weaker lock, so that concurrent transitions of linked records do not block each other.
  const isWeak = rights.operation === "transition" || changesContent(ctx, resource, rights)
  await checkRow(ctx, { resource, id, statement: isWeak ? lockRowNoKeyUpdate : lockRow }, rights)
}

// An update of searched content writes a row twice, and PostgreSQL then checks the row's foreign keys again, which locks
// the related records. With the weaker lock, records that are in each other's content can be updated at the same time.
function changesContent({ schema }: OperationContext, resource: Resource, { operation }: WriteRights): boolean {
  return operation === "update" && affectsContent(schema, resource)
}

/**
 * Like `lockForWrite`, without a lock. Used for reads of data that only callers with the right to write the record may
 * see.
 */
export function checkWritable(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<void> {
  return checkRow(ctx, { resource, id, statement: evaluateRow }, rights)
}

async function checkRow(
  ctx: OperationContext,
  { resource, id, statement }: { resource: Resource; id: string; statement: typeof evaluateRow },
  rights: WriteRights,
): Promise<void> {
  const predicates = [findableRows(rights, predicateOf(rights.write)), ...writePredicates(rights)]
  const { rows } = await ctx.connection.query(statement(resource, id, predicates))
  const [isFindable, isWritable, ...fields] = rows[0] ?? [false, false]
  if (!isFindable) throw recordNotFound(resource, id)
  if (!isWritable) throw denied(ctx.session, `${rights.operation} this record`)
  refuseFields(rights.fields, fields, `${rights.operation} this field of this record`)
}

/** Returns the rules of the write: that of the operation, then those of the fields in the input. */
export function writePredicates({ write, fields }: WriteRights): Predicate[] {
  return [predicateOf(write), ...fields.map(({ predicate }) => predicate)]
}

/**
 * Returns the rows that the filter of a bulk write can match: the rows that the caller may read and write, and in which
 * the caller may write all fields of the input.
 */
export function reachableRows(rights: WriteRights): Predicate {
  return both(rights.rows, both(predicateOf(rights.read), writableRows(rights)))
}

/** Returns the rows that the caller may write, and in which the caller may write all fields of the input. */
export function writableRows({ write, fields }: WriteRights): Predicate {
  return fields.reduce((all, { predicate }) => both(all, predicate), predicateOf(write))
}

/**
 * Returns a predicate for the rows whose existence the caller may learn of. A caller who may read nothing finds only
 * rows that they may write, and the same holds for drafts that are hidden from them. Otherwise errors would leak which
 * records exist.
 */
export function findableRows({ readableByRule, visible, rows }: WriteRights, write: Predicate): Predicate {
  if (readableByRule.kind === "deny") return both(rows, write)
  const isDisclosed: Predicate =
    isAlways(visible) || isAlways(write) ? ALWAYS : { kind: "any", parts: [visible, write] }
  return both(rows, both(predicateOf(readableByRule), isDisclosed))
}

/**
 * Evaluates the rules again, on the row as it is after the write, because a write must not leave a record in a state
 * that the rules deny.
 */
export async function checkWrittenRow(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<void> {
  if (rights.write.kind === "allow" && rights.fields.length === 0) return
  const lock = changesContent(ctx, resource, rights) ? lockRowNoKeyUpdate : lockRow
  const { rows } = await ctx.connection.query(lock(resource, id, writePredicates(rights)))
  const [isWritable, ...fields] = rows[0] ?? [false]
  if (!isWritable) throw deniedState(ctx, rights.operation)
  refuseFields(rights.fields, fields, inThisState(rights.operation))
}

/** Returns the error about a record that the rules deny in the state in which the write would leave it. */
export function deniedState({ session }: OperationContext, operation: WriteRights["operation"]): ApiError {
  return denied(session, operation === "create" ? "create such a record" : "leave a record in this state")
}

/** Returns what a caller may not do, if a rule denies a field in the state in which the write would leave the record. */
export function inThisState(operation: WriteRights["operation"]): string {
  return `${operation} this field of a record in this state`
}

/** Returns the written record as the caller may read it. If the caller may not read the record, returns only its id. */
export async function readWrittenRow(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<Answer<RecordData>> {
  return answerWrittenRow(ctx, { id, row: await selectWrittenRow(ctx, { resource, id }, rights) }, rights)
}

/** Selects the row of a written record for `answerWrittenRow`. Returns undefined if the caller may not read it. */
export async function selectWrittenRow(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  { read, selection }: WriteRights,
): Promise<RowValues | undefined> {
  if (read.kind === "deny") return undefined
  const statement = selectMatching(withRevision(selection), both(byId(resource, id), predicateOf(read)))
  // Related records can make a response of any length, so the response's byte budget limits them.
  const isLimited = selection.relations.length > 0 || selection.parts !== undefined
  const { rows } = await (isLimited ? readForAnswer(ctx, statement) : ctx.connection.query(statement))
  return rows[0]
}

/** Returns the response for a written record whose row has been selected. Read hooks run on it. */
export async function answerWrittenRow(
  ctx: OperationContext,
  { id, row }: { readonly id: string; readonly row: RowValues | undefined },
  { selection }: WriteRights,
): Promise<Answer<RecordData>> {
  if (row === undefined) return answerWithId(selection, id)
  return await answerRecord(ctx, { selection, readSelection: withRevision(selection), operation: "write" }, row)
}

function answerWithId(selection: Selection, id: string): Answer<RecordData> {
  const { resource } = selection
  const fields = resource.kind === "global" ? [] : [resource.id]
  return answer(resource.kind === "global" ? {} : { id }, { resource, fields, relations: [] })
}
