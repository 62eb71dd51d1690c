import type { TransitionContext } from "../../schema/hooks.ts"
import type { Resource, ResourceField, ResourceWorkflow } from "../../schema/resource.ts"
import { selectMatching } from "../../sql/select.ts"
import { updateRow } from "../../sql/write.ts"
import { ApiError, invalid } from "../../wire/api-error.ts"
import type { RecordData } from "../../wire/operations.ts"
import type { Answer } from "../answer.ts"
import { byId, findableId, toldId } from "../by-id.ts"
import { type WriteContext, writeHookContext } from "../hook-context.ts"
import type { OperationContext } from "../operation-context.ts"
import { retried } from "../retried.ts"
import { checkRevision, type ExpectedRevision } from "../revision.ts"
import { readStage } from "../stage.ts"
import { showInStage, withdraw } from "../stage-copies.ts"
import { stampChange } from "../stamp.ts"
import { readWholeRow } from "../write-hooks.ts"
import { lockForWrite, readWrittenRow, resolveWriteRights } from "../write-rights.ts"

interface Transition {
  readonly id: unknown
  /** `{ stage }` */
  readonly given: unknown
  readonly expected?: ExpectedRevision | undefined
}

/** Moves a record to a stage, under the transition rule or else the update rule: the stage shows it as it is now. */
export function transitionRecord(
  ctx: OperationContext,
  resource: Resource,
  transition: Transition,
): Promise<Answer<RecordData>> {
  return retried(ctx, (attempt) => transitionOnce(attempt, resource, transition))
}

async function transitionOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, given, expected }: Transition,
): Promise<Answer<RecordData>> {
  const workflow = requireWorkflow(resource)
  const stage = readTarget(workflow, given)
  const facts = { operation: "transition", id: toldId(resource, asked), stage } as const
  const rights = await resolveWriteRights(ctx, resource, facts)
  const id = findableId(resource, asked)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockForWrite(inner, { resource, id }, rights)
    await checkRevision(inner, { resource, id }, expected)
    await move(inner, { resource, workflow, id, stage })
    return readWrittenRow(inner, { resource, id }, rights)
  })
}

export function requireWorkflow({ name, workflow }: Resource): ResourceWorkflow {
  if (workflow) return workflow
  throw new ApiError("BAD_REQUEST", { message: `"${name}" has no stages to move to.` })
}

function readTarget(workflow: ResourceWorkflow, given: unknown): string {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given)
  // Narrowed to an object; its properties stay unknown.
  const { stage, ...rest } = (isObject ? given : {}) as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw invalid(unknown, `There is no "${unknown}" here. Give the stage.`)
  return readStage(workflow, stage)
}

interface Move {
  readonly resource: Resource
  readonly workflow: ResourceWorkflow
  readonly id: string
  readonly stage: string
}

async function move(ctx: WriteContext, { resource, workflow, id, stage: to }: Move): Promise<void> {
  const from = await stageOf(ctx, { resource, workflow, id })
  if (!workflow.stages.get(from)?.to.has(to)) throw forbiddenMove(workflow, from, to)
  const facts = await hookFacts(ctx, { resource, id }, { from, to })
  await runHooks(ctx, { resource, moment: "beforeTransition" }, facts)
  const values = new Map<ResourceField, unknown>([[workflow.stage, to]])
  stampChange(ctx, resource, values)
  await ctx.connection.query(updateRow(resource, { id, values }, []))
  await withdraw(ctx, resource, { id, stages: workflow.stages.get(to)?.withdraws ?? [] })
  await showInStage(ctx, resource, { id, stage: to })
  await runHooks(ctx, { resource, moment: "afterTransition" }, facts)
}

async function stageOf(ctx: WriteContext, { resource, workflow, id }: Omit<Move, "stage">): Promise<string> {
  const selection = { resource, fields: [workflow.stage], relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, byId(resource, id)))
  return String(rows[0]?.[0])
}

function forbiddenMove({ stages }: ResourceWorkflow, from: string, to: string): ApiError {
  const ways = [...(stages.get(from)?.to ?? [])]
  const remedy = ways.length === 0 ? "It leads nowhere." : `It leads to: ${ways.join(", ")}.`
  return invalid("stage", `The record is in the stage "${from}", from which no move to "${to}" is allowed. ${remedy}`)
}

type MoveFacts = Pick<TransitionContext, "operation" | "original" | "from" | "to">

async function hookFacts(
  ctx: WriteContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<MoveFacts | undefined> {
  const { beforeTransition, afterTransition } = resource.hooks
  if (beforeTransition.length + afterTransition.length === 0) return undefined
  return { operation: "transition", original: await readWholeRow(ctx, resource, id), from, to }
}

interface Moment {
  readonly resource: Resource
  readonly moment: "beforeTransition" | "afterTransition"
}

async function runHooks(ctx: WriteContext, { resource, moment }: Moment, facts: MoveFacts | undefined): Promise<void> {
  if (facts === undefined) return
  for (const hook of resource.hooks[moment]) await hook(writeHookContext(ctx, resource, facts))
}
