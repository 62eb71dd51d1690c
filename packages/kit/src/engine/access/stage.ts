import { type Resource, type ResourceWorkflow, WORKING_COPIES } from "../../schema/compile/resource.ts"
import { type Access, ALLOW, ALWAYS, both, NEVER, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { type ApiError, invalid } from "../../wire/errors/api-error.ts"
import { resourceIn } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { GivenOptions } from "../context/read-options.ts"
import { denied, judgeByRule } from "./authorize.ts"
import { reachedResources } from "./reached-resources.ts"

/** A read, in the stages that it is about. */
export interface StagedRead {
  readonly ctx: OperationContext
  readonly resource: Resource
}

/**
 * The stages that a read is about: the one that it names; else what is worked on, for those whom the rule lets see drafts, and
 * the public stage for all others. Each resource that the read leads to is judged for itself.
 */
export function inStage(
  ctx: OperationContext,
  resource: Resource,
  given: GivenOptions,
): StagedRead | Promise<StagedRead> {
  const { stage } = given.options
  if (stage !== undefined && resource.workflow === undefined) throw noStages(resource)
  if (ctx.schema.stages.length === 0) return { ctx, resource }
  return chooseStages(ctx, resource, given)
}

export function noStages({ name }: Pick<Resource, "name">): ApiError {
  return invalid("stage", `"${name}" has no stages.`)
}

function chooseStages(ctx: OperationContext, resource: Resource, { options }: GivenOptions): Promise<StagedRead> {
  const named = options["stage"]
  return stagedRead(ctx, { resource, options }, (other) => {
    const isAddressed = other === resource && named !== undefined
    return isAddressed ? namedStage(ctx, other, readStage(other, named)) : usualStage(ctx, other, named)
  })
}

/**
 * The filter of a write: about the records of the resource as they are worked on, those that the caller may see so. What it
 * leads to is read as by any other call.
 */
export function inWrite(
  ctx: OperationContext,
  resource: Resource,
  options: GivenOptions["options"],
): StagedRead | Promise<StagedRead> {
  if (ctx.schema.stages.length === 0) return { ctx, resource }
  return stagedRead(ctx, { resource, options }, async (other, { initial }) => {
    if (other !== resource) return usualStage(ctx, other, undefined)
    return { stage: initial, rows: predicateOf(await judgeDrafts(ctx, other)) }
  })
}

/** The stage whose copies a write names; undefined for what is worked on, which is in the initial one. */
export function writtenStage(resource: Resource, stage: unknown): string | undefined {
  const { workflow } = resource
  if (stage === undefined) return undefined
  if (workflow === undefined) throw noStages(resource)
  const named = readStage(resource, stage)
  return named === workflow.initial ? undefined : named
}

/** Which copies of a stage the caller may see, by the rule about drafts; all where the stage is public. */
export function judgeCopies(ctx: OperationContext, copy: Resource, stage: string): Access | Promise<Access> {
  return stage === copy.workflow?.public ? ALLOW : judgeByRule(ctx, copy, { operation: "drafts", stage })
}

type ChooseStage = (resource: Resource, workflow: ResourceWorkflow) => Promise<ChosenStage>

async function stagedRead(
  ctx: OperationContext,
  { resource, options }: { readonly resource: Resource; readonly options: GivenOptions["options"] },
  choose: ChooseStage,
): Promise<StagedRead> {
  const stages = new Map<string, string>()
  const drafts = new Map<string, Predicate>()
  for (const other of new Set([resource, ...reachedResources(resource, options)])) {
    if (other.workflow === undefined) continue
    const chosen = await choose(other, other.workflow)
    if (chosen.stage !== other.workflow.initial) stages.set(other.table, chosen.stage)
    if (chosen.rows !== ALWAYS) drafts.set(other.table, chosen.rows)
  }
  if (stages.size === 0) return { ctx: drafts.size === 0 ? ctx : { ...ctx, drafts }, resource }
  const sorted = new Map([...stages].sort(([left], [right]) => (left < right ? -1 : 1)))
  const schema = ctx.schema.inStages(sorted)
  return { ctx: { ...ctx, schema, drafts }, resource: resourceIn({ schema }, resource) }
}

/** A stage, and the rows of it that the caller may see by the rule about drafts. */
interface ChosenStage {
  readonly stage: string
  readonly rows: Predicate
}

/** The stage of this name; others are offered where everybody may read the records. */
export function readStage({ workflow, access }: Resource, stage: unknown): string {
  const stages = workflow?.stages
  if (typeof stage === "string" && stages?.has(stage)) return stage
  const names = access.read === true ? ` Expected one of: ${[...(stages?.keys() ?? [])].join(", ")}.` : ""
  throw invalid("stage", `There is no such stage.${names}`)
}

async function namedStage(ctx: OperationContext, resource: Resource, stage: string): Promise<ChosenStage> {
  if (stage === resource.workflow?.public) return { stage, rows: ALWAYS }
  const access = await judgeByRule(ctx, resource, { operation: "drafts", stage })
  if (access.kind === "deny") throw denied(ctx.session, `read the stage "${stage}" of ${resource.name}`)
  return { stage, rows: predicateOf(access) }
}

// What a read leads to is read in the stage that it names, if it has one of that name that the caller may see.
async function usualStage(ctx: OperationContext, resource: Resource, named: unknown): Promise<ChosenStage> {
  const { public: shown = "", initial = "", stages } = resource.workflow ?? {}
  if (named === shown) return { stage: shown, rows: ALWAYS }
  const stage = typeof named === "string" && stages?.has(named) ? named : initial
  const access = await judgeByRule(ctx, resource, { operation: "drafts", stage })
  return access.kind === "deny" ? { stage: shown, rows: ALWAYS } : { stage, rows: predicateOf(access) }
}

/** Which records the caller may see as they are worked on. */
export function judgeDrafts(ctx: OperationContext, resource: Resource): Access | Promise<Access> {
  const { workflow } = resource
  return workflow ? judgeByRule(ctx, resource, { operation: "drafts", stage: workflow.initial }) : ALLOW
}

/** The rows of a resource that the caller may see in some way, as drafts or in the public stage, and that are so as seen. */
export async function seenRows(ctx: OperationContext, resource: Resource, part = ALWAYS): Promise<Predicate> {
  return seenBeside(ctx, resource, { drafts: await judgeDrafts(ctx, resource), part })
}

interface SeenPart {
  readonly drafts: Access
  readonly part?: Predicate
}

/** As `seenRows`, for those who may see these drafts. */
export function seenBeside(
  { schema }: OperationContext,
  resource: Resource,
  { drafts, part = ALWAYS }: SeenPart,
): Predicate {
  if (drafts.kind === "allow") return part
  const copies = schema.stages.find(
    ({ resource: { working }, stage }) => working?.table === resource.table && stage === resource.workflow?.public,
  )
  const isShown: Predicate = copies ? { kind: "related", field: resource.id, target: copies.resource, part } : NEVER
  return drafts.kind === "deny" ? isShown : { kind: "any", parts: [both(drafts.predicate, part), isShown] }
}

/** The rows whose drafts the caller may see, for readers of what was never shown in a stage; none is an error. */
export async function draftRows(ctx: OperationContext, resource: Resource): Promise<Predicate> {
  const access = await judgeDrafts(ctx, resource)
  if (access.kind === "deny") throw denied(ctx.session, `read drafts of ${resource.name}`)
  return predicateOf(access)
}

/** The same context, with every record as it is worked on: the author's code reads in stages of its own choice. */
export function outOfStages(ctx: OperationContext): OperationContext {
  const schema = ctx.schema.inStages(WORKING_COPIES)
  return schema === ctx.schema && ctx.drafts === undefined ? ctx : { ...ctx, schema, drafts: undefined }
}
