import type { Resource, ResourceWorkflow } from "../../../schema/compile/resource.ts"
import { type Access, ALLOW, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { deletePendingTransition, selectPendingTransition } from "../../../sql/stages/pending-transitions.ts"
import { evaluateRow } from "../../../sql/write/write.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { PendingTransition } from "../../../wire/results/operations.ts"
import { evaluateAccess } from "../../access/authorize.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { canonicalId, requireId } from "../../read/by-id.ts"
import { checkRevision, type ExpectedRevision } from "../../read/revision.ts"
import { noStep, writeInTransaction } from "../../write/order.ts"
import { checkWritable, lockForWrite, resolveWriteRights, type WriteRights } from "../../write/rights.ts"
import { withRetries } from "../../write/with-retries.ts"
import { requireWorkflow } from "./transition.ts"

/**
 * Returns a record's pending transition. Returns null if there is none, or if the caller may not transition the record
 * to the stage of the pending transition.
 */
export async function findPendingTransition(
  ctx: OperationContext,
  resource: Resource,
  asked: unknown,
): Promise<Answer<PendingTransition | null>> {
  const rights = await resolveTransitionRights(ctx, resource, asked)
  const id = requireId(resource, asked)
  try {
    await checkWritable(ctx, { resource, id }, rights)
  } catch (error) {
    // For a global that was never written or is hidden from the caller, the result is null, as for a read of the
    // global.
    if (resource.kind === "global" && error instanceof ApiError && error.code === "NOT_FOUND")
      return answerTransition(null)
    throw error
  }
  return answerTransition(await visibleTransition(ctx, { resource, id }, rights))
}

interface Cancellation {
  readonly id: unknown
  readonly expected?: ExpectedRevision | undefined
}

/**
 * Cancels a record's pending transition, and returns that transition. Throws CONFLICT if the transition has already
 * run.
 */
export function cancelPendingTransition(
  ctx: OperationContext,
  resource: Resource,
  cancellation: Cancellation,
): Promise<Answer<PendingTransition>> {
  return withRetries(ctx, (attempt) => cancelOnce(attempt, resource, cancellation))
}

async function cancelOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, expected }: Cancellation,
): Promise<Answer<PendingTransition>> {
  const rights = await resolveTransitionRights(ctx, resource, asked)
  const id = requireId(resource, asked)
  return await writeInTransaction(ctx, {
    lock: (inner) => lockForWrite(inner, { resource, id }, rights),
    checkRevision: (inner) => checkRevision(inner, { resource, id, expected }, rights),
    prepare: async (inner) => {
      const transition = await visibleTransition(inner, { resource, id }, rights)
      if (transition === null) throw new ApiError("CONFLICT", { message: NO_PENDING_TRANSITION })
      return transition
    },
    writeTargets: noStep,
    writeRows: async ({ connection }) => {
      await connection.query(deletePendingTransition(resource, id))
    },
    writeRelated: noStep,
    checkResult: noStep,
    runAfterHooks: noStep,
    readBack: async (_ctx, transition) => answerTransition(transition),
  })
}

const NO_PENDING_TRANSITION = "There is no pending transition: it has run, was cancelled, or was never requested."

interface TransitionRights extends WriteRights {
  /** By stage name, the rows that the caller may transition to that stage. */
  readonly byStage: ReadonlyMap<string, Predicate>
}

/**
 * Resolves the caller's rights to transition a record to each stage. Throws if the caller may not transition the record
 * to any stage.
 */
async function resolveTransitionRights(
  ctx: OperationContext,
  resource: Resource,
  asked: unknown,
): Promise<TransitionRights> {
  const workflow = requireWorkflow(resource)
  const id = canonicalId(resource, asked)
  const byStage = await evaluateStages(ctx, { resource, workflow, id })
  const open = [...byStage].filter(([, access]) => access.kind !== "deny")
  const stage = open[0]?.[0] ?? workflow.initial
  const rights = await resolveWriteRights(ctx, resource, { operation: "transition", id, stage })
  const write = anyOf(open.map(([, access]) => access))
  return { ...rights, write, byStage: new Map([...byStage].map(([name, access]) => [name, predicateOf(access)])) }
}

async function evaluateStages(
  ctx: OperationContext,
  { resource, workflow, id }: { readonly resource: Resource; readonly workflow: ResourceWorkflow; readonly id: string },
): Promise<ReadonlyMap<string, Access>> {
  const evaluated = new Map<string, Access>()
  for (const stage of workflow.stages.keys()) {
    evaluated.set(stage, await evaluateAccess(ctx, resource, { operation: "transition", id, stage }))
  }
  return evaluated
}

function anyOf(accesses: readonly Access[]): Access {
  if (accesses.some(({ kind }) => kind === "allow")) return ALLOW
  return { kind: "where", predicate: { kind: "any", parts: accesses.map(predicateOf) } }
}

// Returns the record's pending transition, or null if there is none. It also returns null if the caller may not
// transition the record to the target stage, so that the transition stays hidden from the caller.
async function visibleTransition(
  { connection }: OperationContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  { byStage, write }: TransitionRights,
): Promise<PendingTransition | null> {
  const { rows } = await connection.query(selectPendingTransition(resource, id))
  const [stage, scheduledAt, userId] = rows[0] ?? []
  if (typeof stage !== "string") return null
  // If the workflow no longer declares the target stage, the transition is visible to every caller who may transition
  // the record to any stage.
  const verdict = await connection.query(evaluateRow(resource, id, [byStage.get(stage) ?? predicateOf(write)]))
  if (verdict.rows[0]?.[0] !== true) return null
  // The casts are safe: `run_at` is a timestamp that is never null, and `user_id` is a string or null.
  return { stage, scheduledAt: scheduledAt as Date, userId: userId as string | null }
}

function answerTransition<Move extends PendingTransition | null>(value: Move): Answer<Move> {
  return { value, meta: () => (value === null ? undefined : { scheduledAt: "Date" }) }
}
