import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { both, isAlways, type Predicate } from "../../sql/filter/predicate.ts"
import { evaluateRows, predicateKey } from "../../sql/write/write-many.ts"
import { ApiError, type ErrorCode, invalid } from "../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { RecordAccess } from "../../wire/results/introspection.ts"
import { readableRows } from "../access/readable-rows.ts"
import { rowsVisibleInAnyStage } from "../access/stage.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { checkOptions, type UncheckedOptions } from "../context/read-options.ts"
import { type Answer, plainAnswer } from "../read/answer.ts"
import { canonicalId, recordNotFound, storedId } from "../read/by-id.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import { runBeforeRead } from "../read/read-hooks.ts"
import { allQuestions, type Questions, RecordQuestions, recordAccess } from "./record-questions.ts"

/** The record of a collection whose rights are asked for. */
interface AskedRecord {
  readonly id: string
  readonly given: UncheckedOptions
}

/**
 * Returns what the caller may do with a record of a collection. Throws as a read of the record does if the caller may
 * read it neither as a draft nor in the public stage. Rights are those on the working copy, so that no stage is named.
 */
export async function readRecordAccess(
  ctx: OperationContext,
  resource: Resource,
  { id, given }: AskedRecord,
): Promise<Answer<RecordAccess>> {
  checkOptions(ctx, "recordAccess", given)
  const asked = await askAbout(ctx, new RecordQuestions(ctx, resource), { resource, id, given })
  const [access] = await answersFor(ctx, resource, [asked])
  if (!access) throw recordNotFound(resource, id)
  return plainAnswer(access)
}

interface AskedRecords {
  /** The ids, not yet checked. */
  readonly ids: unknown
  readonly given: UncheckedOptions
}

/**
 * Returns for each id what `readRecordAccess` would, or null in place of its errors about records that the caller may not
 * read. Throws as a read does if the rules allow the caller none of the records.
 */
export async function readRecordsAccess(
  ctx: OperationContext,
  resource: Resource,
  { ids: givenIds, given }: AskedRecords,
): Promise<Answer<readonly (RecordAccess | null)[]>> {
  checkOptions(ctx, "recordAccess", given)
  const ids = readIds(givenIds)
  const questions = new RecordQuestions(ctx, resource)
  const asked = await mapInParallel(ids, (id) =>
    unlessUnreadable(() => askAbout(ctx, questions, { resource, id, given })),
  )
  const denials = asked.filter((one) => one instanceof ApiError && one.code !== "NOT_FOUND")
  if (denials[0] && denials.length === ids.length) throw denials[0]
  const rows = asked.map((one) => (one instanceof ApiError ? undefined : one))
  return plainAnswer(await answersFor(ctx, resource, rows))
}

/**
 * Returns what the caller may do with a global. Before the first write of the global, and if its record is hidden from
 * the caller, these are the rights that depend on no record.
 */
export async function readGlobalAccess(
  ctx: OperationContext,
  resource: Resource,
  options: UncheckedOptions,
): Promise<Answer<RecordAccess>> {
  checkOptions(ctx, "description", options)
  const readable = await visibleRecords(ctx, resource, { given: options })
  await runBeforeRead(ctx, resource, { operation: "get" })
  const questions = await new RecordQuestions(ctx, resource).about(undefined)
  const [access] = await answersFor(ctx, resource, [{ id: GLOBAL_ROW_ID, questions, readable }])
  return plainAnswer(access ?? recordAccess(questions, isAlways))
}

function readIds(ids: unknown): readonly string[] {
  const { maxAccessIds } = QUERY_LIMITS
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string"))
    throw invalid("ids", "Expected a list of the ids of records.")
  if (ids.length > maxAccessIds)
    throw invalid("ids", `Expected at most ${maxAccessIds} ids. Ask for the others in another request.`)
  return ids
}

async function visibleRecords(
  ctx: OperationContext,
  resource: Resource,
  asked: Parameters<typeof readableRows>[2],
): Promise<Predicate> {
  return both(await readableRows(ctx, resource, asked), await rowsVisibleInAnyStage(ctx, resource))
}

/** A row, and what is asked about it. */
interface AskedRow {
  /** The id as the database stores it. */
  readonly id: string
  readonly questions: Questions
  /** The rows that the caller may read. */
  readonly readable: Predicate
}

// Returns undefined for an id that no row can have. Its rules and hooks are called nevertheless.
async function askAbout(
  ctx: OperationContext,
  questions: RecordQuestions,
  { resource, id, given }: AskedRecord & { readonly resource: Resource },
): Promise<AskedRow | undefined> {
  const idForRules = canonicalId(resource, id)
  const readable = await visibleRecords(ctx, resource, { given, id: idForRules })
  await runBeforeRead(ctx, resource, { operation: "get", id: idForRules })
  const asked = { questions: await questions.about(idForRules), readable }
  const stored = storedId(resource, id)
  return stored === undefined ? undefined : { id: stored, ...asked }
}

const UNREADABLE: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN"])

// Returns the errors with which a rule or a hook refuses one record, because it may allow another.
async function unlessUnreadable<Result>(ask: () => Promise<Result>): Promise<Result | ApiError> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiError && UNREADABLE.has(error.code)) return error
    throw error
  }
}

// Returns what the caller may do with each row, and null for rows that the caller may not read. All questions that are
// the same for several rows are asked in one statement: in most apps these are all of them.
async function answersFor(
  ctx: OperationContext,
  resource: Resource,
  asked: readonly (AskedRow | undefined)[],
): Promise<(RecordAccess | null)[]> {
  const answers = new Map<AskedRow | undefined, RecordAccess | null>()
  for (const rows of rowsByQuestions(asked)) {
    const verdicts = await verdictsOn(ctx, resource, rows)
    for (const row of rows.asked) answers.set(row, accessTo(row, verdicts(row)))
  }
  return asked.map((row) => answers.get(row) ?? null)
}

function accessTo({ questions }: AskedRow, has: HasRight | undefined): RecordAccess | null {
  return has ? recordAccess(questions, has) : null
}

/** Rows about which the same is asked. */
interface LikeRows {
  readonly asked: AskedRow[]
  /** The rows that the caller may read, and then the questions, each of them once. */
  readonly predicates: readonly Predicate[]
  /** The places of the predicates, by their keys. */
  readonly places: ReadonlyMap<string, number>
}

function rowsByQuestions(asked: readonly (AskedRow | undefined)[]): Iterable<LikeRows> {
  const groups = new Map<string, LikeRows>()
  for (const row of asked) {
    if (row === undefined) continue
    const { predicates, places } = questionsOf(row)
    const key = JSON.stringify([predicateKey(row.readable), ...places.keys()])
    const group = groups.get(key) ?? { asked: [], predicates, places }
    groups.set(key, group)
    group.asked.push(row)
  }
  return groups.values()
}

function questionsOf({ questions, readable }: AskedRow): Omit<LikeRows, "asked"> {
  const places = new Map<string, number>()
  const predicates = [readable]
  for (const question of allQuestions(questions)) {
    const key = predicateKey(question)
    if (!places.has(key)) places.set(key, predicates.push(question) - 1)
  }
  return { predicates, places }
}

type HasRight = (question: Predicate) => boolean

// Returns a function from a row to its rights; there are none if the caller may not read the row.
async function verdictsOn(
  ctx: OperationContext,
  resource: Resource,
  { asked, predicates, places }: LikeRows,
): Promise<(row: AskedRow) => HasRight | undefined> {
  const ids = asked.map(({ id }) => id)
  const { rows } = await ctx.connection.query(evaluateRows(resource, ids, predicates))
  const byId = new Map(rows.map(([id, ...verdicts]) => [id, verdicts]))
  return ({ id }) => {
    const verdicts = byId.get(id)
    if (verdicts?.[0] !== true) return undefined
    return (question) => verdicts[places.get(predicateKey(question)) ?? -1] === true
  }
}
