import { GLOBAL_ROW_ID, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import { ALWAYS, activeRows, both, isAlways, NEVER, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { evaluateRow } from "../../sql/write/write.ts"
import { predicateKey } from "../../sql/write/write-many.ts"
import type { OperationName, RecordAccess } from "../../wire/results/introspection.ts"
import { readableRows } from "../access/readable-rows.ts"
import { rowsVisibleInAnyStage } from "../access/stage.ts"
import { type SupposedAccess, SupposedCalls } from "../access/supposed-calls.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { checkOptions, type UncheckedOptions } from "../context/read-options.ts"
import { type Answer, plainAnswer } from "../read/answer.ts"
import { canonicalId, recordNotFound, storedId } from "../read/by-id.ts"
import { runBeforeRead } from "../read/read-hooks.ts"
import { CallerRights, operationsOf } from "./caller-rights.ts"

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
  { id: given, given: options }: AskedRecord,
): Promise<Answer<RecordAccess>> {
  checkOptions(ctx, "recordAccess", options)
  const idForRules = canonicalId(resource, given)
  const readable = await visibleRecords(ctx, resource, { given: options, id: idForRules })
  await runBeforeRead(ctx, resource, { operation: "get", id: idForRules })
  const questions = await questionsAbout(ctx, resource, idForRules)
  const id = storedId(resource, given)
  const row = id === undefined ? undefined : await answersFor(ctx, { resource, id, questions, readable })
  if (row === undefined) throw recordNotFound(resource, given)
  return plainAnswer(recordAccess(questions, row))
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
  const questions = await questionsAbout(ctx, resource, undefined)
  const row = await answersFor(ctx, { resource, id: GLOBAL_ROW_ID, questions, readable })
  return plainAnswer(recordAccess(questions, row ?? isAlways))
}

async function visibleRecords(
  ctx: OperationContext,
  resource: Resource,
  asked: Parameters<typeof readableRows>[2],
): Promise<Predicate> {
  return both(await readableRows(ctx, resource, asked), await rowsVisibleInAnyStage(ctx, resource))
}

/** A right, and the rows in which the caller has it. */
interface Questions {
  readonly operations: ReadonlyMap<OperationName, Predicate>
  readonly fields: ReadonlyMap<string, FieldQuestions>
  readonly transitions: ReadonlyMap<string, Predicate>
}

interface FieldQuestions {
  readonly read: Predicate
  readonly update: Predicate
}

async function questionsAbout(ctx: OperationContext, resource: Resource, id: string | undefined): Promise<Questions> {
  const calls = new SupposedCalls(ctx)
  const asking = { calls, resource, id }
  const transitions = await transitionQuestions(asking)
  const operations = await operationQuestions(asking, transitions)
  const fields = await fieldQuestions(ctx, asking, operations.get("update") ?? NEVER)
  return { operations, fields, transitions }
}

interface Asking {
  readonly calls: SupposedCalls
  readonly resource: Resource
  /** The id of the record as rules get it; undefined for the record of a global. */
  readonly id: string | undefined
}

async function operationQuestions(
  asking: Asking,
  transitions: ReadonlyMap<string, Predicate>,
): Promise<ReadonlyMap<OperationName, Predicate>> {
  const { calls, resource, id } = asking
  const active = activeRows(resource)
  const deleted: Predicate = { kind: "not", part: active }
  const rule = async (operation: OperationName) =>
    rowsOf(await calls.operation(resource, { operation, id, stage: undefined }))
  const questions: Partial<Record<OperationName, () => Promise<Predicate>>> = {
    read: async () => ALWAYS,
    update: async () => both(active, await rule("update")),
    delete: async () => both(active, await rule("delete")),
    restore: async () => both(deleted, await rule("restore")),
    purge: async () => both(deleted, await rule("purge")),
    // Versions count as drafts.
    versions: async () => both(await rule("versions"), await rowsWithDrafts(asking)),
    transition: async () => ({ kind: "any", parts: [...transitions.values()] }),
    drafts: () => rowsWithDrafts(asking),
    serve: async () => both(active, await rule("serve")),
  }
  const asked = new Map<OperationName, Predicate>()
  for (const name of operationsOf(resource)) {
    const question = await questions[name]?.()
    if (question) asked.set(name, question)
  }
  return asked
}

// A rule that decides by the input cannot be asked without one. It allows the call here, and the write asks it again.
function rowsOf(access: SupposedAccess): Predicate {
  return access.kind === "undecided" ? ALWAYS : predicateOf(access)
}

async function rowsWithDrafts({ calls, resource }: Asking): Promise<Predicate> {
  const { workflow } = resource
  if (workflow === undefined) return ALWAYS
  return rowsOf(await calls.operation(resource, { operation: "drafts", stage: workflow.initial }))
}

// Returns, for each stage, the rows that the caller may move to it: the workflow and the rule allow it.
async function transitionQuestions({
  calls,
  resource,
  id = GLOBAL_ROW_ID,
}: Asking): Promise<ReadonlyMap<string, Predicate>> {
  const { stages } = resource.workflow ?? {}
  const questions = new Map<string, Predicate>()
  for (const stage of stages?.keys() ?? []) {
    const rule = rowsOf(await calls.operation(resource, { operation: "transition", id, stage }))
    const from = [...(stages?.values() ?? [])].filter(({ to }) => to.has(stage)).map(({ name }) => name)
    questions.set(stage, [activeRows(resource), rule, rowsInStages(resource, from)].reduce(both))
  }
  return questions
}

function rowsInStages(resource: Resource, stages: readonly string[]): Predicate {
  const field = resource.workflow?.stage
  const operator = operatorsOf("choice").get("in")
  if (field === undefined || operator === undefined) return NEVER
  return { kind: "compare", field, operator, operand: stages }
}

async function fieldQuestions(
  ctx: OperationContext,
  asking: Asking,
  updatable: Predicate,
): Promise<ReadonlyMap<string, FieldQuestions>> {
  const { calls, resource, id } = asking
  const rights = await new CallerRights(ctx).fields(resource)
  const questions = new Map<string, FieldQuestions>()
  for (const field of resource.fields.values()) {
    const { read = false, update = false } = rights.get(field.name) ?? {}
    if (!read && !update) continue
    const facts = { operation: "update", id, stage: undefined } as const
    questions.set(field.name, {
      read: read ? await rowsShowing(asking, field) : NEVER,
      update: update ? both(updatable, rowsOf(await calls.field(resource, field, facts))) : NEVER,
    })
  }
  return questions
}

interface AskedRow {
  readonly resource: Resource
  readonly id: string
  readonly questions: Questions
  /** The rows that the caller may read. */
  readonly readable: Predicate
}

// A comparison with the public copy is part of the draft.
async function rowsShowing(asking: Asking, field: ResourceField): Promise<Predicate> {
  if (field.comparison) return await rowsWithDrafts(asking)
  return rowsOf(await asking.calls.field(asking.resource, field, { operation: "read", id: undefined }))
}

type HasRight = (question: Predicate) => boolean

// Asks all questions about the row in one statement, equal ones only once. Returns undefined if the caller may not read
// the row.
async function answersFor(
  ctx: OperationContext,
  { resource, id, questions, readable }: AskedRow,
): Promise<HasRight | undefined> {
  const places = new Map<string, number>()
  const predicates = [readable]
  for (const question of allOf(questions)) {
    const key = predicateKey(question)
    if (!places.has(key)) places.set(key, predicates.push(question) - 1)
  }
  const { rows } = await ctx.connection.query(evaluateRow(resource, id, predicates))
  const [row] = rows
  if (row?.[0] !== true) return undefined
  return (question) => row[places.get(predicateKey(question)) ?? -1] === true
}

function allOf({ operations, fields, transitions }: Questions): readonly Predicate[] {
  const ofFields = [...fields.values()].flatMap(({ read, update }) => [read, update])
  return [...operations.values(), ...transitions.values(), ...ofFields]
}

function recordAccess({ operations, fields, transitions }: Questions, has: HasRight): RecordAccess {
  const shown = [...fields].map(([name, { read, update }]) => [name, { read: has(read), update: has(update) }] as const)
  return {
    operations: Object.fromEntries([...operations].map(([name, question]) => [name, has(question)])),
    fields: Object.fromEntries(shown),
    transitions: [...transitions].filter(([, question]) => has(question)).map(([stage]) => stage),
  }
}
