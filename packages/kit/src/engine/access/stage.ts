import { type Resource, WORKING_RECORDS } from "../../schema/compile/resource.ts"
import type { MaybePromise } from "../../schema/context/when-ready.ts"
import { type Access, ALLOW, ALWAYS, both, NEVER, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { type ApiError, invalid } from "../../wire/errors/api-error.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { denied, evaluateAccess } from "./authorize.ts"
import { type ChosenStage, followedStage, noSuchStage, type StagedRead, stagedRead } from "./staged-read.ts"

/**
 * Chooses the workflow stages of a read. The stage that the options name is used, for the rows that the `drafts` rule
 * allows. If they name none, the working copies are used if the rule allows all of them, and otherwise the public stage,
 * so that a right to some drafts never hides or changes what is public. The stage is chosen separately for each resource
 * that the read refers to, by the resource's own `drafts` rule.
 */
export function inStage(
  ctx: OperationContext,
  resource: Resource,
  { options }: UncheckedOptions,
): MaybePromise<StagedRead> {
  const { stage } = options
  if (stage !== undefined && resource.workflow === undefined) throw noStages(resource)
  if (ctx.schema.stages.length === 0) return { ctx, resource }
  return stagedRead(ctx, { resource, options }, (other) => {
    const isAddressed = other === resource && stage !== undefined
    return isAddressed ? namedStage(ctx, other, readStage(other, stage)) : followedStage(ctx, other, stage)
  })
}

function noStages({ name }: Pick<Resource, "name">): ApiError {
  return invalid("stage", `"${name}" has no stages.`)
}

/** The resource that a write changes, and the stage if the write changes the copies in a stage. */
export interface WrittenStage {
  readonly resource: Resource
  /** Undefined if the write changes the working copies. */
  readonly stage?: string | undefined
}

/** Like `WrittenStage`, with the option `stage` of the request, which related resources follow. */
export interface NamedWrittenStage extends WrittenStage {
  /** The stage that the request names. It is the initial stage if the request names the working copies. */
  readonly named?: unknown
}

/**
 * Chooses the workflow stages in which the options of a write are evaluated: its filter, or the relations in its
 * response. The written resource is read in the stage that the write changes, as far as the caller may read it. A
 * related resource is read in the stage that a read with the same option `stage` uses.
 */
export function inWrittenStage(
  ctx: OperationContext,
  { resource, stage, named }: NamedWrittenStage,
  options: UncheckedOptions["options"],
): Promise<StagedRead> {
  return stagedRead(ctx, { resource, options }, async (other, { initial }) => {
    if (other !== resource) return await followedStage(ctx, other, stage ?? named)
    const access = stage === undefined ? evaluateDrafts(ctx, other) : evaluateStageCopies(ctx, other, stage)
    return { stage: stage ?? initial, rows: predicateOf(await access) }
  })
}

/**
 * Returns the stage whose copies a write changes. Returns undefined if `stage` is undefined or the initial stage,
 * because the write then changes the working copy.
 */
export function writtenStage(resource: Resource, stage: unknown): string | undefined {
  const named = readOptionalStage(resource, stage)
  return named === resource.workflow?.initial ? undefined : named
}

/** Parses the option `stage`. Returns undefined if it is absent. */
export function readOptionalStage(resource: Resource, stage: unknown): string | undefined {
  if (stage === undefined) return undefined
  if (resource.workflow === undefined) throw noStages(resource)
  return readStage(resource, stage)
}

/**
 * Throws if `stage` names a stage other than the initial one. It is for operations that always apply to a record in all
 * its stages.
 */
export function requireInitialStage(resource: Resource, stage: unknown): void {
  if (writtenStage(resource, stage) === undefined) return
  const initial = resource.workflow?.initial ?? ""
  throw invalid(
    "stage",
    `This applies to the record in all its stages. Leave it out, or name the initial one, "${initial}".`,
  )
}

/**
 * Evaluates which copies in `stage` the caller may read: all copies if the stage is public, otherwise those that the
 * `drafts` rule allows.
 */
export async function evaluateStageCopies(ctx: OperationContext, resource: Resource, stage: string): Promise<Access> {
  if (stage === resource.workflow?.public) return ALLOW
  return await evaluateAccess(ctx, resource, { operation: "drafts", stage })
}

/** Throws if the resource has no stage of this name. */
export function readStage(resource: Resource, stage: unknown): string {
  if (typeof stage === "string" && resource.workflow?.stages.has(stage)) return stage
  throw invalid("stage", noSuchStage(resource))
}

async function namedStage(ctx: OperationContext, resource: Resource, stage: string): Promise<ChosenStage> {
  if (stage === resource.workflow?.public) return { stage, rows: ALWAYS }
  const access = await evaluateAccess(ctx, resource, { operation: "drafts", stage })
  if (access.kind === "deny") throw denied(ctx.session, `read the stage "${stage}" of ${resource.name}`)
  return { stage, rows: predicateOf(access) }
}

/** Evaluates which working copies the `drafts` rule lets the caller read. The rule gets the `stage`. */
export async function evaluateDrafts(
  ctx: OperationContext,
  resource: Resource,
  stage = resource.workflow?.initial,
): Promise<Access> {
  return resource.workflow ? await evaluateAccess(ctx, resource, { operation: "drafts", stage }) : ALLOW
}

/**
 * Returns the rows that match the filter `part` and that the caller may read, either as a draft or in the public stage.
 * The filter is evaluated only on drafts and public copies that the caller may read, so that it cannot reveal a hidden
 * draft.
 */
export async function rowsVisibleInAnyStage(
  ctx: OperationContext,
  resource: Resource,
  part = ALWAYS,
): Promise<Predicate> {
  return rowsVisibleWithDrafts(ctx, resource, { drafts: await evaluateDrafts(ctx, resource), part })
}

interface VisibleRowsOptions {
  readonly drafts: Access
  readonly part?: Predicate
}

/** Like `rowsVisibleInAnyStage`, but takes the result of the `drafts` rule as an argument. */
export function rowsVisibleWithDrafts(
  { schema }: OperationContext,
  resource: Resource,
  { drafts, part = ALWAYS }: VisibleRowsOptions,
): Predicate {
  if (drafts.kind === "allow") return part
  const copies = schema.stages.find(
    ({ resource: { working }, stage }) => working?.table === resource.table && stage === resource.workflow?.public,
  )
  const isShown: Predicate = copies ? { kind: "related", field: resource.id, target: copies.resource, part } : NEVER
  return drafts.kind === "deny" ? isShown : { kind: "any", parts: [both(drafts.predicate, part), isShown] }
}

/**
 * Returns the rows whose drafts the caller may read. It is for reads of data that counts as a draft, such as versions.
 * Throws if the `drafts` rule denies the caller all drafts. The rule gets the `stage`; default: the initial stage.
 */
export async function draftRows(ctx: OperationContext, { resource, stage }: WrittenStage): Promise<Predicate> {
  const access = await evaluateDrafts(ctx, resource, stage)
  if (access.kind === "deny") throw denied(ctx.session, `read drafts of ${resource.name}`)
  return predicateOf(access)
}

/**
 * Returns a context in which every resource is read as working copies. It is for the author's code, which chooses
 * stages itself.
 */
export function withWorkingCopies(ctx: OperationContext): OperationContext {
  const schema = ctx.schema.inStages(WORKING_RECORDS)
  if (schema === ctx.schema && ctx.drafts === undefined) return ctx
  return { ...ctx, schema, drafts: undefined, relationStages: undefined }
}
