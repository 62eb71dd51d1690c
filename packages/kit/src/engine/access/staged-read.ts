import type { Link, Resource, ResourceWorkflow, StageSelection } from "../../schema/compile/resource.ts"
import { ALWAYS, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import type { RelationStage } from "../../sql/parse/relation-stage.ts"
import { type ApiError, invalid } from "../../wire/errors/api-error.ts"
import { resourceIn } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { denied, evaluateAccess } from "./authorize.ts"
import { type StagedRelation, stageScope } from "./reached-resources.ts"

/** The context and the resource of a read, both bound to the workflow stages that the read uses. */
export interface StagedRead {
  readonly ctx: OperationContext
  readonly resource: Resource
}

/** A workflow stage, and the rows in this stage that the `drafts` rule lets the caller read. */
export interface ChosenStage {
  readonly stage: string
  readonly rows: Predicate
}

type ChooseStage = (resource: Resource, workflow: ResourceWorkflow) => Promise<ChosenStage>

interface ReadOptions {
  readonly resource: Resource
  readonly options: Readonly<Record<string, unknown>>
  /** The path of the options if they are those of a relation, with a dot at its end. */
  readonly path?: string
}

/**
 * Binds a read to stages. `choose` returns the stage of each resource that the read refers to. A relation that names a
 * stage of its own is, with everything behind it, a read of that stage.
 */
export async function stagedRead(ctx: OperationContext, read: ReadOptions, choose: ChooseStage): Promise<StagedRead> {
  if (ctx.schema.stages.length === 0) return { ctx, resource: read.resource }
  const found: FoundStages = { drafts: new Map(), relations: new Map() }
  const stages = await bindScope({ ctx, found }, read, choose)
  const schema = stages.size === 0 ? ctx.schema : ctx.schema.inStages(stages)
  const { drafts, relations } = found
  if (schema === ctx.schema && drafts.size + relations.size === 0) return { ctx, resource: read.resource }
  return {
    ctx: { ...ctx, schema, drafts, relationStages: relations },
    resource: resourceIn({ schema }, read.resource),
  }
}

/**
 * Chooses the stage of a resource for which a read names none, or of a related resource, which follows the stage `named`
 * for the read. A named stage is used if the resource has it, for the rows that the `drafts` rule allows. Without one,
 * the working copies are used only if the rule allows all of them: a caller who may read some drafts must see what
 * every other caller sees. In all other cases the public stage is used.
 */
export async function followedStage(ctx: OperationContext, resource: Resource, named: unknown): Promise<ChosenStage> {
  const { public: shown = "", initial = "", stages } = resource.workflow ?? {}
  const publicStage = { stage: shown, rows: ALWAYS }
  if (named === shown) return publicStage
  const isNamed = typeof named === "string" && stages?.has(named) === true
  const stage = isNamed ? named : initial
  const access = await evaluateAccess(ctx, resource, { operation: "drafts", stage })
  const isUsed = access.kind === "allow" || (access.kind === "where" && isNamed)
  return isUsed ? { stage, rows: predicateOf(access) } : publicStage
}

/** The stages that were chosen for all parts of a read. */
interface FoundStages {
  /** By the table of a stage, the rows that the caller may read in it. */
  readonly drafts: Map<string, Predicate>
  readonly relations: Map<object, RelationStage>
}

interface Binding {
  readonly ctx: OperationContext
  readonly found: FoundStages
}

// Chooses the stages of all resources up to the relations that name a stage, and then those behind each of these.
async function bindScope(binding: Binding, read: ReadOptions, choose: ChooseStage): Promise<StageSelection> {
  const { ctx, found } = binding
  const { resources, relations } = stageScope(read.resource, read.options, read.path)
  const chosen = new Map<string, string>()
  const rows = new Map<Resource, Predicate>()
  for (const other of resources) {
    if (other.workflow === undefined) continue
    const { stage, rows: readable } = await choose(other, other.workflow)
    if (stage !== other.workflow.initial) chosen.set(other.table, stage)
    if (readable !== ALWAYS) rows.set(other, readable)
  }
  const stages = sortedStages(chosen)
  for (const [other, readable] of rows) {
    found.drafts.set(resourceIn({ schema: ctx.schema.inStages(stages) }, other).table, readable)
  }
  for (const relation of relations) {
    found.relations.set(relation.options, await relationStage(binding, relation, stages))
  }
  return stages
}

// A schema is cached by the order of its stages.
function sortedStages(stages: StageSelection): StageSelection {
  return new Map([...stages].sort(([left], [right]) => (left < right ? -1 : 1)))
}

// Errors are kept for the parser. It throws them only if the relation is visible to the caller: the error for a hidden
// relation must be that for one that does not exist.
async function relationStage(
  binding: Binding,
  relation: StagedRelation,
  parentStages: StageSelection,
): Promise<RelationStage> {
  const { target, options, path } = relation
  const named = await namedRelationStage(binding.ctx, relation)
  if (named.kind === "refused") return named
  const { stage } = named.chosen
  const stages = await bindScope(binding, { resource: target, options, path: `${path}.` }, async (other) =>
    other === target ? named.chosen : await followedStage(binding.ctx, other, stage),
  )
  const schema = binding.ctx.schema.inStages(stages)
  return {
    kind: "target",
    target: resourceIn({ schema }, target),
    link: linkBetween(binding.ctx, relation, { parentStages, stages }),
  }
}

type NamedStage =
  | { readonly kind: "chosen"; readonly chosen: ChosenStage }
  | { readonly kind: "refused"; readonly error: ApiError }

async function namedRelationStage(
  ctx: OperationContext,
  { target, options: { stage }, path }: StagedRelation,
): Promise<NamedStage> {
  const { workflow } = target
  const refused = (error: ApiError) => ({ kind: "refused", error }) as const
  if (workflow === undefined) return refused(invalid(`${path}.stage`, "The records of this relation have no stages."))
  if (typeof stage !== "string" || !workflow.stages.has(stage))
    return refused(invalid(`${path}.stage`, noSuchStage(target)))
  if (stage === workflow.public) return { kind: "chosen", chosen: { stage, rows: ALWAYS } }
  const access = await evaluateAccess(ctx, target, { operation: "drafts", stage })
  if (access.kind === "deny") return refused(denied(ctx.session, `read the stage "${stage}" of "${path}"`))
  return { kind: "chosen", chosen: { stage, rows: predicateOf(access) } }
}

/** Returns the message about a stage that does not exist. It lists the stages if every caller may read the resource. */
export function noSuchStage({ workflow, access }: Resource): string {
  const names = [...(workflow?.stages.keys() ?? [])].join(", ")
  return access.read === true ? `There is no such stage. Expected one of: ${names}.` : "There is no such stage."
}

interface EndStages {
  readonly parentStages: StageSelection
  readonly stages: StageSelection
}

// Returns the links between the stages of the two ends. In a collection that relates to itself, a schema has only one
// stage for both ends. The links are then those of the record from which the relation leads.
function linkBetween(
  { schema }: OperationContext,
  { parent, field, target }: StagedRelation,
  { parentStages, stages }: EndStages,
): Link | undefined {
  if (parent.table === target.table) return undefined
  const ends = [
    [parent.table, parentStages.get(parent.table)],
    [target.table, stages.get(target.table)],
  ] as const
  const staged = ends.flatMap(([table, stage]) => (stage === undefined ? [] : [[table, stage] as const]))
  const inStages = schema.inStages(sortedStages(new Map(staged)))
  const relation = resourceIn({ schema: inStages }, parent).fields.get(field.name)?.relation
  return relation?.kind === "manyToMany" ? relation.link : undefined
}
