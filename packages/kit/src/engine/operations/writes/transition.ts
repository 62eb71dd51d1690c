import type { TransitionContext } from "../../../schema/builders/hooks.ts"
import { isProblem } from "../../../schema/compile/field-type.ts"
import type { Resource, ResourceWorkflow } from "../../../schema/compile/resource.ts"
import { datetimeType } from "../../../schema/fields/datetime.ts"
import { type Access, predicateOf } from "../../../sql/filter/predicate.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { deletePendingTransition, setPendingTransition } from "../../../sql/stages/pending-transitions.ts"
import { lockRowNoKeyUpdate } from "../../../sql/write/write.ts"
import { transitionRow } from "../../../sql/write/write-transition.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { denied } from "../../access/authorize.ts"
import { readStage } from "../../access/stage.ts"
import { type WriteContext, writeHookContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Members } from "../../context/read-members.ts"
import { readDueTime } from "../../database/due-clock.ts"
import type { Answer } from "../../read/answer.ts"
import { byId, canonicalId, requireId } from "../../read/by-id.ts"
import { checkRevision, type ExpectedRevision } from "../../read/revision.ts"
import { updateStageCopy, withdraw } from "../../write/copies/stage-copies.ts"
import { readWholeRow } from "../../write/hooks.ts"
import { noStep, type WriteSteps, writeInTransaction } from "../../write/order.ts"
import { lockForWrite, readWrittenRow, resolveWriteRights } from "../../write/rights.ts"
import { userOf } from "../../write/stamp.ts"
import { withRetries } from "../../write/with-retries.ts"

interface TransitionInput {
  readonly id: unknown
  /** The input, of the form `{ stage, scheduledAt? }`. Its members have been checked by name, but not its values. */
  readonly input: Members
  readonly expected?: ExpectedRevision | undefined
}

/**
 * Transitions a record to a stage if the transition rule allows it. If there is no transition rule, the update rule is
 * used. The stage gets a copy of the record as it is at the time of the transition.
 */
export function transitionRecord(
  ctx: OperationContext,
  resource: Resource,
  transition: TransitionInput,
): Promise<Answer<RecordData>> {
  return withRetries(ctx, (attempt) => transitionOnce(attempt, resource, transition))
}

async function transitionOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, input, expected }: TransitionInput,
): Promise<Answer<RecordData>> {
  const workflow = requireWorkflow(resource)
  const { stage, at } = await readTarget(ctx, resource, input)
  const facts = { operation: "transition", id: canonicalId(resource, asked), stage } as const
  const rights = await resolveWriteRights(ctx, resource, facts)
  const id = requireId(resource, asked)
  const move = { resource, workflow, id, stage }
  const steps = {
    ...(at ? schedulingSteps(move, at) : cancellingPending(transitionSteps(move), move)),
    lock: (inner: WriteContext) => lockForWrite(inner, { resource, id }, rights),
    checkRevision: (inner: WriteContext) => checkRevision(inner, { resource, id, expected }, rights),
    readBack: (inner: WriteContext) => readWrittenRow(inner, { resource, id }, rights),
  }
  return await writeInTransaction(ctx, steps)
}

/**
 * Like `transitionRecord`, but for a pending transition whose time has come and whose row in `_kit_pending_transitions`
 * is already deleted.
 */
export async function performPendingTransition(
  ctx: OperationContext,
  resource: Resource,
  { id, stage: named }: { readonly id: string; readonly stage: string },
): Promise<void> {
  const workflow = requireWorkflow(resource)
  const stage = readStage(resource, named)
  const rights = await resolveWriteRights(ctx, resource, { operation: "transition", id, stage })
  await writeInTransaction(ctx, {
    ...transitionSteps({ resource, workflow, id, stage }),
    lock: (inner) => lockForWrite(inner, { resource, id }, rights),
  })
}

/**
 * Returns the steps that transition a new record in the transaction that created it. `access` is the rows that the
 * caller may transition; if the row of the record is not among them, the transition is refused.
 */
export function newRecordTransition(
  { resource, id, stage }: { readonly resource: Resource; readonly id: string; readonly stage: string },
  access: Access,
): TransitionSteps {
  return {
    ...transitionSteps({ resource, workflow: requireWorkflow(resource), id, stage }),
    lock: async (ctx) => {
      const { rows } = await ctx.connection.query(lockRowNoKeyUpdate(resource, id, [predicateOf(access)]))
      if (rows[0]?.[0] !== true) throw denied(ctx.session, "transition such a record")
    },
  }
}

/** Throws if the workflow does not allow a transition from the initial stage to `stage`. */
export function checkFirstTransition(resource: Resource, stage: string): void {
  const workflow = requireWorkflow(resource)
  const { initial, stages } = workflow
  if (!stages.get(initial)?.to.has(stage)) throw forbiddenTransition(workflow, initial, stage)
}

export function requireWorkflow({ name, workflow }: Resource): ResourceWorkflow {
  if (workflow) return workflow
  throw new ApiError("BAD_REQUEST", { message: `"${name}" has no stages to transition to.` })
}

interface Target {
  readonly stage: string
  /** The time at which the transition runs if it is pending; undefined for a transition that runs now. */
  readonly at: Date | undefined
}

/** The members of a transition's input. */
export const TRANSITION_MEMBERS = ["stage", "scheduledAt"] as const

async function readTarget(ctx: OperationContext, resource: Resource, { stage, scheduledAt }: Members): Promise<Target> {
  return { stage: readStage(resource, stage), at: await readScheduledAt(ctx, scheduledAt) }
}

const MAX_AHEAD_MS = 100 * 365 * 86_400_000

// Parses the time of a transition. Returns undefined, which means now, if the time is missing or in the past.
async function readScheduledAt(ctx: OperationContext, scheduledAt: unknown): Promise<Date | undefined> {
  if (scheduledAt === undefined) return undefined
  const parsed = datetimeType.parse(scheduledAt)
  if (isProblem(parsed)) throw invalid("scheduledAt", parsed.problem)
  // The cast is safe: `datetimeType` parses every valid value to a Date.
  const at = parsed.value as Date
  const now = await readDueTime(ctx.connection, ctx.dueNow)
  const aheadMs = at.getTime() - now.getTime()
  if (aheadMs > MAX_AHEAD_MS) throw invalid("scheduledAt", "Expected a time within the next 100 years.")
  return aheadMs > 0 ? at : undefined
}

interface StageTransition {
  readonly resource: Resource
  readonly workflow: ResourceWorkflow
  readonly id: string
  readonly stage: string
}

type TransitionSteps = WriteSteps<void, TransitionFacts | undefined, void>

/**
 * Returns the steps of a transition that is performed now. A transition changes no data, so the rules are not evaluated
 * again on its result: a rule that allows transitions of drafts only would refuse every transition.
 */
function transitionSteps(move: StageTransition): TransitionSteps {
  return {
    lock: noStep,
    checkRevision: noStep,
    prepare: async (ctx) => {
      const facts = await hookFacts(ctx, move, { from: await checkAllowed(ctx, move), to: move.stage })
      await runHooks(ctx, { ...move, moment: "beforeTransition" }, facts)
      return facts
    },
    writeTargets: noStep,
    writeRows: (ctx) => writeTransition(ctx, move),
    writeRelated: noStep,
    checkResult: noStep,
    runAfterHooks: (ctx, facts) => runHooks(ctx, { ...move, moment: "afterTransition" }, facts),
    readBack: noStep,
  }
}

/** Adds to the steps of a transition that it replaces the record's pending transition. */
function cancellingPending(steps: TransitionSteps, { resource, id }: StageTransition): TransitionSteps {
  return {
    ...steps,
    prepare: async (ctx) => {
      await ctx.connection.query(deletePendingTransition(resource, id))
      return steps.prepare(ctx)
    },
  }
}

/**
 * Returns the steps that schedule a transition for the time `at`. The access rules and the workflow are checked now, and
 * again when the transition runs.
 */
function schedulingSteps(move: StageTransition, at: Date): TransitionSteps {
  return {
    ...transitionSteps(move),
    prepare: async (ctx) => {
      await checkAllowed(ctx, move)
      return undefined
    },
    writeRows: (ctx) => addPendingTransition(ctx, move, at),
  }
}

async function addPendingTransition(ctx: WriteContext, move: StageTransition, at: Date): Promise<void> {
  const { resource, id, stage } = move
  const userId = ctx.isSystem ? null : ctx.session?.user.id
  const pending = { id, stage, token: crypto.randomUUID() }
  await ctx.connection.query(setPendingTransition(resource, { ...pending, at, userId: userId ?? null }))
  await ctx.scheduleTransition(ctx.connection, { table: resource.table, ...pending, userId }, at)
}

/**
 * Returns the record's current stage. Throws if the workflow allows no transition from the current stage to the target
 * stage.
 */
async function checkAllowed(
  ctx: WriteContext,
  { resource, workflow, id, stage: to }: StageTransition,
): Promise<string> {
  const from = await stageOf(ctx, { resource, workflow, id })
  if (!workflow.stages.get(from)?.to.has(to)) throw forbiddenTransition(workflow, from, to)
  return from
}

async function writeTransition(ctx: WriteContext, { resource, workflow, id, stage }: StageTransition): Promise<void> {
  await ctx.connection.query(transitionRow(resource, { id, stage, user: userOf(ctx), at: ctx.now() }))
  await withdraw(ctx, resource, { id, stages: workflow.stages.get(stage)?.withdraws ?? [] })
  await updateStageCopy(ctx, resource, { id, stage })
}

async function stageOf(ctx: WriteContext, { resource, workflow, id }: Omit<StageTransition, "stage">): Promise<string> {
  const selection = { resource, fields: [workflow.stage], relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, byId(resource, id)))
  const stage = String(rows[0]?.[0])
  // A record whose stage is no longer declared counts as a record in the initial stage.
  return workflow.stages.has(stage) ? stage : workflow.initial
}

function forbiddenTransition({ stages }: ResourceWorkflow, from: string, to: string): ApiError {
  const ways = [...(stages.get(from)?.to ?? [])]
  const remedy = ways.length === 0 ? "It allows none." : `Allowed: ${ways.join(", ")}.`
  return invalid(
    "stage",
    `The record is in the stage "${from}", from which no transition to "${to}" is allowed. ${remedy}`,
  )
}

type TransitionFacts = Pick<TransitionContext, "operation" | "original" | "from" | "to">

async function hookFacts(
  ctx: WriteContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<TransitionFacts | undefined> {
  const { beforeTransition, afterTransition } = resource.hooks
  if (beforeTransition.length + afterTransition.length === 0) return undefined
  return { operation: "transition", original: await readWholeRow(ctx, resource, id), from, to }
}

interface TransitionHook {
  readonly resource: Resource
  readonly moment: "beforeTransition" | "afterTransition"
}

async function runHooks(
  ctx: WriteContext,
  { resource, moment }: TransitionHook,
  facts: TransitionFacts | undefined,
): Promise<void> {
  if (facts === undefined) return
  for (const hook of resource.hooks[moment]) await hook(writeHookContext(ctx, resource, facts))
}
