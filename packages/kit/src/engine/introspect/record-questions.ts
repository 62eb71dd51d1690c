import { GLOBAL_ROW_ID, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import { ALWAYS, activeRows, both, NEVER, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import type { OperationName, RecordAccess } from "../../wire/results/introspection.ts"
import { type SupposedAccess, SupposedCalls } from "../access/supposed-calls.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { CallerRights, type FieldRights, operationsOf } from "./caller-rights.ts"

/** A right, and the rows in which the caller has it. */
export interface Questions {
  readonly operations: ReadonlyMap<OperationName, Predicate>
  readonly fields: ReadonlyMap<string, FieldQuestions>
  readonly transitions: ReadonlyMap<string, Predicate>
}

interface FieldQuestions {
  readonly read: Predicate
  readonly update: Predicate
}

/** Asks for the rights of one caller to records of one resource. Rules that do not look at a record are called once. */
export class RecordQuestions {
  readonly #ctx: OperationContext
  readonly #resource: Resource
  readonly #calls: SupposedCalls
  #fields: Promise<ReadonlyMap<string, FieldRights>> | undefined

  constructor(ctx: OperationContext, resource: Resource) {
    this.#ctx = ctx
    this.#resource = resource
    this.#calls = new SupposedCalls(ctx)
  }

  /** Returns all rights to a record, by its id as rules get it; it is undefined for the record of a global. */
  async about(id: string | undefined): Promise<Questions> {
    const asking = { calls: this.#calls, resource: this.#resource, id }
    const transitions = await transitionQuestions(asking)
    const operations = await operationQuestions(asking, transitions)
    this.#fields ??= new CallerRights(this.#ctx).fields(this.#resource)
    const fields = await fieldQuestions(asking, await this.#fields, operations.get("update") ?? NEVER)
    return { operations, fields, transitions }
  }
}

interface Asking {
  readonly calls: SupposedCalls
  readonly resource: Resource
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
  asking: Asking,
  rights: ReadonlyMap<string, FieldRights>,
  updatable: Predicate,
): Promise<ReadonlyMap<string, FieldQuestions>> {
  const { calls, resource, id } = asking
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

// A comparison with the public copy is part of the draft.
async function rowsShowing(asking: Asking, field: ResourceField): Promise<Predicate> {
  if (field.comparison) return await rowsWithDrafts(asking)
  return rowsOf(await asking.calls.field(asking.resource, field, { operation: "read", id: undefined }))
}

/** Returns the questions without their names, always in the same order. */
export function allQuestions({ operations, fields, transitions }: Questions): readonly Predicate[] {
  const ofFields = [...fields.values()].flatMap(({ read, update }) => [read, update])
  return [...operations.values(), ...transitions.values(), ...ofFields]
}

/** Returns the rights of which this is true. */
export function recordAccess(
  { operations, fields, transitions }: Questions,
  has: (question: Predicate) => boolean,
): RecordAccess {
  const shown = [...fields].map(([name, { read, update }]) => [name, { read: has(read), update: has(update) }] as const)
  return {
    operations: Object.fromEntries([...operations].map(([name, question]) => [name, has(question)])),
    fields: Object.fromEntries(shown),
    transitions: [...transitions].filter(([, question]) => has(question)).map(([stage]) => stage),
  }
}
