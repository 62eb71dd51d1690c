import { isUpdatable, isWritable, type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import type { Allowed, FieldSchema, OperationAccess, OperationName } from "../../wire/results/introspection.ts"
import { type SupposedAccess, SupposedCalls } from "../access/supposed-calls.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"

export type FieldRights = FieldSchema["access"]

/**
 * The rights that the rules give to one caller, without a record and without an input. Each right is evaluated when it
 * is first needed, and only once. The answers contain no filters, because a filter may name what the caller may not
 * know.
 */
export class CallerRights {
  readonly #ctx: OperationContext
  readonly #calls: SupposedCalls
  readonly #rules = new Map<string, Promise<SupposedAccess>>()
  readonly #fields = new Map<ResourceField, Promise<FieldRights>>()
  readonly #readable = new Map<ResourceField, Promise<Allowed>>()

  constructor(ctx: OperationContext) {
    this.#ctx = ctx
    this.#calls = new SupposedCalls(ctx)
  }

  /**
   * True if the caller may know the resource: the `introspect` rule says so or, without one, the caller may read or
   * create some of its records.
   */
  async mayIntrospect(resource: Resource): Promise<boolean> {
    if (this.#ctx.isSystem) return true
    if (resource.access.introspect !== undefined) return isGranted(await this.#rule(resource, "introspect"))
    if (isGranted(await this.#rule(resource, "read"))) return true
    return resource.kind === "collection" && isGranted(await this.#rule(resource, "create"))
  }

  /** Returns the rights to the operations that the resource has. */
  async operations(resource: Resource): Promise<OperationAccess> {
    const names = operationsOf(resource)
    const allowed = await mapInParallel(names, (name) => this.operation(resource, name))
    return Object.fromEntries(names.map((name, index) => [name, allowed[index] ?? false]))
  }

  async operation(resource: Resource, name: OperationName): Promise<Allowed> {
    if (name === "transition" || name === "drafts") return await this.#inKnownStages(resource, name)
    return allowedBy(await this.#rule(resource, name))
  }

  // Returns what the rights in the stages amount to. Stages that the caller may not know do not count, because otherwise
  // `"filtered"` would reveal that they exist.
  async #inKnownStages(resource: Resource, name: "transition" | "drafts"): Promise<Allowed> {
    const rights = [...(await this.#byStage(resource, name))]
    const stages = await this.knownStages(resource)
    const known = rights.filter(([stage]) => stages.has(stage))
    return together((known.length > 0 ? known : rights).map(([, allowed]) => allowed))
  }

  /** Returns, for each stage of the resource, whether the caller may move records to it. */
  transitions(resource: Resource): Promise<ReadonlyMap<string, Allowed>> {
    return this.#byStage(resource, "transition")
  }

  /**
   * Returns the names of the stages that the caller may know: all of them if every caller may read the records,
   * otherwise the public stage, and those whose drafts the caller may read or to which the caller may move records.
   */
  async knownStages(resource: Resource): Promise<ReadonlySet<string>> {
    const { workflow, access } = resource
    if (workflow === undefined) return new Set()
    if (access.read === true) return new Set(workflow.stages.keys())
    const transitions = await this.#byStage(resource, "transition")
    const drafts = await this.#byStage(resource, "drafts")
    const isKnown = (stage: string) => stage === workflow.public || transitions.get(stage) || drafts.get(stage)
    return new Set([...workflow.stages.keys()].filter(isKnown))
  }

  // Evaluates a rule that gets a stage, once for each stage. The public stage has no drafts.
  async #byStage(resource: Resource, operation: "transition" | "drafts"): Promise<ReadonlyMap<string, Allowed>> {
    const all = [...(resource.workflow?.stages.keys() ?? [])]
    const stages = operation === "drafts" ? all.filter((stage) => stage !== resource.workflow?.public) : all
    const allowed = await mapInParallel(stages, async (stage) =>
      allowedBy(await this.#rule(resource, operation, stage)),
    )
    return new Map(stages.map((stage, index) => [stage, allowed[index] ?? false]))
  }

  /** Returns the rights to the fields of the resource that the caller may read or write, by name. */
  async fields(resource: Resource): Promise<ReadonlyMap<string, FieldRights>> {
    const fields = [...resource.fields.values()]
    const rights = await mapInParallel(fields, (field) => this.field(resource, field))
    const named = fields.map((field, index) => [field.name, rights[index] ?? NO_RIGHTS] as const)
    return new Map(named.filter(([, { read, create, update }]) => read || create || update))
  }

  /** Returns the rights to a field. They are `false` where the operation itself is denied. */
  field(resource: Resource, field: ResourceField): Promise<FieldRights> {
    const known = this.#fields.get(field) ?? this.#evaluateField(resource, field)
    this.#fields.set(field, known)
    return known
  }

  /** True if the caller may read some records of the resource without naming them. */
  async mayReadRecords(resource: Resource): Promise<boolean> {
    return this.#ctx.isSystem || isGranted(await this.#rule(resource, "read"))
  }

  /** True if the caller may read the field in some records. */
  async mayRead(resource: Resource, field: ResourceField): Promise<boolean> {
    return (await this.readField(resource, field)) !== false
  }

  /** Returns the right to read a field. */
  readField(resource: Resource, field: ResourceField): Promise<Allowed> {
    const known = this.#readable.get(field) ?? this.#evaluateReadField(resource, field)
    this.#readable.set(field, known)
    return known
  }

  async #evaluateField(resource: Resource, field: ResourceField): Promise<FieldRights> {
    const [read, create, update] = await Promise.all([
      this.readField(resource, field),
      this.#mayWriteField(resource, field, "create"),
      this.#mayWriteField(resource, field, "update"),
    ])
    return { read, create, update }
  }

  async #evaluateReadField(resource: Resource, field: ResourceField): Promise<Allowed> {
    // A hidden field is described to no caller, not even to system code.
    if (field.hidden) return false
    if ((await this.operation(resource, "read")) === false) return false
    const target = toManyOf(field)?.target
    // A relation to many records consists of these records alone.
    if (target && !(await this.mayReadRecords(target))) return false
    if (field.comparison) return await this.#mayReadDrafts(resource)
    const access = await this.#calls.field(resource, field, { operation: "read" })
    // Reads evaluate field rules once for all records, so no real call has more facts than this one.
    return access.kind === "undecided" ? false : allowedBy(access)
  }

  // The right to read a field that only working copies have.
  async #mayReadDrafts(resource: Resource): Promise<Allowed> {
    return allowedBy(await this.#rule(resource, "drafts", resource.workflow?.initial))
  }

  async #mayWriteField(resource: Resource, field: ResourceField, operation: "create" | "update"): Promise<Allowed> {
    if (!(operation === "create" ? isWritable(field) : isUpdatable(resource, field))) return false
    if (!(await this.#mayWriteRecords(resource, operation))) return false
    return allowedBy(await this.#calls.field(resource, field, { operation }))
  }

  async #mayWriteRecords(resource: Resource, operation: "create" | "update"): Promise<boolean> {
    if (operation === "create" && resource.kind === "global") return false
    if ((await this.operation(resource, operation)) !== false) return true
    const isUploaded = operation === "create" && resource.upload !== undefined
    return isUploaded && (await this.operation(resource, "upload")) !== false
  }

  #rule(resource: Resource, operation: OperationName | "introspect", stage?: string): Promise<SupposedAccess> {
    const key = `${resource.table} ${operation} ${stage ?? ""}`
    const known = this.#rules.get(key) ?? this.#evaluateRule(resource, operation, stage)
    this.#rules.set(key, known)
    return known
  }

  #evaluateRule(resource: Resource, operation: OperationName | "introspect", stage?: string): Promise<SupposedAccess> {
    return this.#calls.operation(resource, { operation, ...(stage !== undefined && { stage }) })
  }
}

const NO_RIGHTS: FieldRights = Object.freeze({ read: false, create: false, update: false })

function allowedBy({ kind }: SupposedAccess): Allowed {
  if (kind === "allow") return true
  return kind === "deny" ? false : "filtered"
}

/** Returns what several rights amount to: `true` if all are, `false` if none is, otherwise `"filtered"`. */
export function together(all: readonly Allowed[]): Allowed {
  if (all.every((allowed) => allowed === true)) return true
  return all.every((allowed) => allowed === false) ? false : "filtered"
}

// True if the rule allows the call as it stands. A denial after a look at facts of a real call is still a denial here.
function isGranted({ kind }: SupposedAccess): boolean {
  return kind === "allow" || kind === "where"
}

const GLOBAL_OPERATIONS = ["read", "update"] as const
const COLLECTION_OPERATIONS = ["read", "create", "update", "delete"] as const

/** Returns the operations that the resource has. */
export function operationsOf({ kind, deletedAt, versions, workflow, upload }: Resource): readonly OperationName[] {
  return [
    ...(kind === "global" ? GLOBAL_OPERATIONS : COLLECTION_OPERATIONS),
    ...(deletedAt ? (["restore", "purge"] as const) : []),
    ...(versions ? (["versions"] as const) : []),
    ...(workflow ? (["transition", "drafts"] as const) : []),
    ...(upload ? (["upload", "serve"] as const) : []),
  ]
}
