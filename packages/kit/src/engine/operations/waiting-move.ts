import type { Resource, ResourceWorkflow } from "../../schema/compile/resource.ts"
import { type Access, ALLOW, type Predicate, predicateOf } from "../../sql/filter/predicate.ts"
import { forgetPendingMove, selectPendingMove } from "../../sql/stages/pending-moves.ts"
import { judgeRow } from "../../sql/write/write.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { WaitingMove } from "../../wire/results/operations.ts"
import { judgeByRule } from "../access/authorize.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { Answer } from "../read/answer.ts"
import { findableId, toldId } from "../read/by-id.ts"
import { checkRevision, type ExpectedRevision } from "../read/revision.ts"
import { retried } from "../write/retried.ts"
import { checkWritable, lockForWrite, resolveWriteRights, type WriteRights } from "../write/write-rights.ts"
import { requireWorkflow } from "./transition.ts"

/** The move that waits for a record, for those who may move it to that stage; null where there is none. */
export async function findWaitingMove(
  ctx: OperationContext,
  resource: Resource,
  asked: unknown,
): Promise<Answer<WaitingMove | null>> {
  const rights = await resolveMoveRights(ctx, resource, asked)
  const id = findableId(resource, asked)
  try {
    await checkWritable(ctx, { resource, id }, rights)
  } catch (error) {
    // As a read of a global that was never written, or that the caller may not see.
    if (resource.kind === "global" && error instanceof ApiError && error.code === "NOT_FOUND") return answerMove(null)
    throw error
  }
  return answerMove(await toldMove(ctx, { resource, id }, rights))
}

interface Cancellation {
  readonly id: unknown
  readonly expected?: ExpectedRevision | undefined
}

/** Ends the move that waits for a record, and answers it. One that has been made meanwhile cannot be cancelled any more. */
export function cancelWaitingMove(
  ctx: OperationContext,
  resource: Resource,
  cancellation: Cancellation,
): Promise<Answer<WaitingMove>> {
  return retried(ctx, (attempt) => cancelOnce(attempt, resource, cancellation))
}

async function cancelOnce(
  ctx: OperationContext,
  resource: Resource,
  { id: asked, expected }: Cancellation,
): Promise<Answer<WaitingMove>> {
  const rights = await resolveMoveRights(ctx, resource, asked)
  const id = findableId(resource, asked)
  return ctx.connection.transaction(async (connection) => {
    const inner = { ...ctx, connection }
    await lockForWrite(inner, { resource, id }, rights)
    await checkRevision(inner, { resource, id, expected }, rights)
    const move = await toldMove(inner, { resource, id }, rights)
    if (move === null) throw new ApiError("CONFLICT", { message: NOTHING_WAITS })
    await connection.query(forgetPendingMove(resource, id))
    return answerMove(move)
  })
}

const NOTHING_WAITS = "No move waits here: it has been made, cancelled, or was never asked for."

interface MoveRights extends WriteRights {
  /** The rows that the caller may move to each of the stages. */
  readonly byStage: ReadonlyMap<string, Predicate>
}

/** The right to move a record to any stage at all; whoever has none is refused. */
async function resolveMoveRights(ctx: OperationContext, resource: Resource, asked: unknown): Promise<MoveRights> {
  const workflow = requireWorkflow(resource)
  const id = toldId(resource, asked)
  const byStage = await judgeStages(ctx, { resource, workflow, id })
  const open = [...byStage].filter(([, access]) => access.kind !== "deny")
  const stage = open[0]?.[0] ?? workflow.initial
  const rights = await resolveWriteRights(ctx, resource, { operation: "transition", id, stage })
  const write = anyOf(open.map(([, access]) => access))
  return { ...rights, write, byStage: new Map([...byStage].map(([name, access]) => [name, predicateOf(access)])) }
}

async function judgeStages(
  ctx: OperationContext,
  { resource, workflow, id }: { readonly resource: Resource; readonly workflow: ResourceWorkflow; readonly id: string },
): Promise<ReadonlyMap<string, Access>> {
  const judged = new Map<string, Access>()
  for (const stage of workflow.stages.keys()) {
    judged.set(stage, await judgeByRule(ctx, resource, { operation: "transition", id, stage }))
  }
  return judged
}

function anyOf(accesses: readonly Access[]): Access {
  if (accesses.some(({ kind }) => kind === "allow")) return ALLOW
  return { kind: "where", predicate: { kind: "any", parts: accesses.map(predicateOf) } }
}

// A move to a stage that the caller may not move to is none to them: they are not told what is planned there.
async function toldMove(
  { connection }: OperationContext,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  { byStage, write }: MoveRights,
): Promise<WaitingMove | null> {
  const { rows } = await connection.query(selectPendingMove(resource, id))
  const [stage, scheduledAt, userId] = rows[0] ?? []
  if (typeof stage !== "string") return null
  // One to a stage that is declared no more, whoever may move the record may know.
  const verdict = await connection.query(judgeRow(resource, id, [byStage.get(stage) ?? predicateOf(write)]))
  if (verdict.rows[0]?.[0] !== true) return null
  // As the columns of the table are.
  return { stage, scheduledAt: scheduledAt as Date, userId: userId as string | null }
}

function answerMove<Move extends WaitingMove | null>(value: Move): Answer<Move> {
  return { value, meta: () => (value === null ? undefined : { scheduledAt: "Date" }) }
}
