import type { Resource } from "../../schema/compile/resource.ts"
import {
  type Access,
  ALWAYS,
  aboutCopy,
  activeRows,
  both,
  isAlways,
  type Predicate,
  predicateOf,
} from "../../sql/filter/predicate.ts"
import { wholeSelection } from "../../sql/parse/parse-selection.ts"
import { typedReading } from "../../sql/parse/reading.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import { judgeRow, lockKeptRow, lockRow } from "../../sql/write/write.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { authorize, type CallFacts, denied, judgeByRule } from "../access/authorize.ts"
import { judgeGivenFields, type RuledField, refuseFields } from "../access/field-rights.ts"
import { judgeCopies, judgeDrafts, seenBeside } from "../access/stage.ts"
import { visibilityOf } from "../access/visibility.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type Answer, answer } from "../read/answer.ts"
import { byId, recordNotFound } from "../read/by-id.ts"
import { answerRecord } from "../read/read-hooks.ts"

/** What the caller may do with a record, and what of it an answer shows. */
export interface WriteRights {
  readonly operation: CallFacts["operation"]
  readonly write: Access
  /** By the rules about reading and drafts alone: deleted records that are kept count, as far as `rows` lets them. */
  readonly read: Access
  /** As `read`, of records that may be seen in no more than their public stage. */
  readonly known: Access
  /** The rows that are seen as they are worked on, or in their public stage. */
  readonly seen: Predicate
  /** The rows that the operation is about. */
  readonly rows: Predicate
  readonly selection: Selection
  /** The fields that the write gives and whose rules look at the row. */
  readonly fields: readonly RuledField[]
  /** No row has to be looked at: the write may be one statement. */
  readonly areUnconditional: boolean
}

const NOTHING_REACHED: ReadonlySet<Resource> = new Set()

/** Resolves the rules of a write before any effect; an operation that is denied altogether ends here. */
export async function resolveWriteRights(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<WriteRights> {
  const rights = await resolveRowRights(ctx, resource, facts)
  const fields = await judgeGivenFields(ctx, resource, facts)
  return fields.length === 0 ? rights : { ...rights, fields, areUnconditional: false }
}

/** As `resolveWriteRights`, for writes that judge the given fields of each row. */
export async function resolveRowRights(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): Promise<WriteRights> {
  const write = await authorize(ctx, resource, facts)
  const known = await judgeByRule(ctx, resource, { operation: "read", id: facts.id })
  const judged = judgeDrafts(ctx, resource)
  const drafts = judged instanceof Promise ? await judged : judged
  const read = bothAllow(known, drafts)
  const visibility = await visibilityOf(ctx, resource, NOTHING_REACHED)
  const selection = wholeSelection(resource, typedReading(visibility))
  // The author's function of a computed field may fail, and then nothing must have been written.
  const isCertain = selection.computed === undefined && selection.masked === undefined
  const areUnconditional = write.kind === "allow" && read.kind === "allow" && isCertain
  const isForDeleted = facts.operation === "restore" || facts.operation === "purge"
  const rows = isForDeleted ? await rowsWithDeleted(ctx, resource, { write, id: facts.id }) : activeRows(resource)
  const seen = seenBeside(ctx, resource, { drafts })
  return { operation: facts.operation, write, read, known, seen, rows, selection, fields: [], areUnconditional }
}

// Deleted records are there for those who may delete them, as in a read, and for those who may do this with them.
async function rowsWithDeleted(
  ctx: OperationContext,
  resource: Resource,
  { write, id }: { readonly write: Access; readonly id: string | undefined },
): Promise<Predicate> {
  const deletable = await judgeByRule(ctx, resource, { operation: "delete", id })
  if (write.kind === "allow" || deletable.kind === "allow") return ALWAYS
  return { kind: "any", parts: [activeRows(resource), predicateOf(deletable), predicateOf(write)] }
}

/** What both of two rules allow. */
export function bothAllow(left: Access, right: Access): Access {
  if (left.kind === "deny" || right.kind === "allow") return left
  return right.kind === "deny" ? right : { kind: "where", predicate: both(predicateOf(left), right.predicate) }
}

/** As `rights`, for a write of a stage's copy: what is checked on the copy afterwards, and what of it an answer shows. */
export async function rightsOnCopy(
  ctx: OperationContext,
  copy: Resource,
  { rights, stage }: { readonly rights: WriteRights; readonly stage: string },
): Promise<WriteRights> {
  const { write, fields } = rights
  const known = await judgeByRule(ctx, copy, { operation: "read" })
  const read = bothAllow(known, await judgeCopies(ctx, copy, stage))
  const visibility = await visibilityOf(ctx, copy, NOTHING_REACHED)
  return {
    ...rights,
    write: write.kind === "where" ? { ...write, predicate: aboutCopy(copy, write.predicate) } : write,
    fields: fields.map(({ field, predicate }) => ({ field, predicate: aboutCopy(copy, predicate) })),
    read,
    selection: wholeSelection(copy, typedReading(visibility)),
  }
}

/** Locks the record; one that the caller may not read does not exist, one they may not write is refused. */
export async function lockForWrite(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<void> {
  // Records that move at once may have links to each other, which their copies get too.
  const lock = rights.operation === "transition" ? lockKeptRow : lockRow
  await refuseByRow(ctx, { resource, id, judge: lock }, rights)
}

/** As `lockForWrite`, without a lock: for a read of what is told to those who may write. */
export function checkWritable(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<void> {
  return refuseByRow(ctx, { resource, id, judge: judgeRow }, rights)
}

async function refuseByRow(
  ctx: OperationContext,
  { resource, id, judge }: { resource: Resource; id: string; judge: typeof judgeRow },
  rights: WriteRights,
): Promise<void> {
  const predicates = [findableRows(rights, predicateOf(rights.write)), ...writable(rights)]
  const { rows } = await ctx.connection.query(judge(resource, id, predicates))
  const [isFindable, isWritable, ...fields] = rows[0] ?? [false, false]
  if (!isFindable) throw recordNotFound(resource, id)
  if (!isWritable) throw denied(ctx.session, `${rights.operation} this record`)
  refuseFields(rights.fields, fields, `${rights.operation} this field of this record`)
}

function writable({ write, fields }: WriteRights): Predicate[] {
  return [predicateOf(write), ...fields.map(({ predicate }) => predicate)]
}

/**
 * The rows of whose existence a caller may learn who may write those of `write`. For one who may read nothing, only what they
 * may write is there, and so it is with drafts that they may not see: anything else would tell what exists.
 */
export function findableRows({ known, seen, rows }: WriteRights, write: Predicate): Predicate {
  if (known.kind === "deny") return both(rows, write)
  const isTold: Predicate = isAlways(seen) || isAlways(write) ? ALWAYS : { kind: "any", parts: [seen, write] }
  return both(rows, both(predicateOf(known), isTold))
}

/** Checks the rules again, on the row as it is now: a write may not move a record out of the caller's reach. */
export async function checkWrittenRow(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  rights: WriteRights,
): Promise<void> {
  if (rights.write.kind === "allow" && rights.fields.length === 0) return
  const { rows } = await ctx.connection.query(lockRow(resource, id, writable(rights)))
  const [isWritable, ...fields] = rows[0] ?? [false]
  const what = rights.operation === "create" ? "create such a record" : "leave a record in this state"
  if (!isWritable) throw denied(ctx.session, what)
  refuseFields(rights.fields, fields, `${rights.operation} this field of a record in this state`)
}

/** The written record as the caller may read it; of one they may not read, the id alone. */
export async function readWrittenRow(
  ctx: OperationContext,
  { resource, id }: { resource: Resource; id: string },
  { read, selection }: WriteRights,
): Promise<Answer<RecordData>> {
  if (read.kind === "deny") return answerWithId(selection, id)
  const { rows } = await ctx.connection.query(selectMatching(selection, both(byId(resource, id), predicateOf(read))))
  if (rows[0] === undefined) return answerWithId(selection, id)
  return answerRecord(ctx, { selection, operation: "write" }, rows[0])
}

function answerWithId(selection: Selection, id: string): Answer<RecordData> {
  const { resource } = selection
  const fields = resource.kind === "global" ? [] : [resource.id]
  return answer(resource.kind === "global" ? {} : { id }, { resource, fields, relations: [] })
}
