import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { ScheduledMove } from "../../engine/context/scheduled-move.ts"
import { perform } from "../../engine/database/database-errors.ts"
import type { Engine } from "../../engine/engine.ts"
import { moveDueRecord } from "../../engine/operations/transition.ts"
import type { JobRun } from "../../features/jobs/running-job.ts"
import type { Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Session, SessionProvider } from "../../ports/session-provider.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { takePendingMove } from "../../sql/stages/pending-moves.ts"
import { versionAgain } from "../../sql/versions/write-versions.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

interface MoveHost {
  readonly engine: Engine
  readonly logger: Logger
  sessions(): SessionProvider
}

/** Refuses a pending transition for which no session could be loaded at its time. */
export function checkMover({ load }: SessionProvider, { userId }: ScheduledMove): void {
  if (userId === null || load !== undefined) return
  throw new Error(
    "scheduledAt needs sessions that can be looked up: give the session provider a function load(userId).",
  )
}

/** Runs a pending transition in the transaction that completes its job, with the current rights of its requester. */
export async function runScheduledMove(host: MoveHost, run: JobRun): Promise<void> {
  // Only `scheduleMove` stores these payloads.
  const move = run.payload as ScheduledMove
  const session = move.userId === null ? null : await loadSession(host, move.userId)
  await run.transaction((transaction) => moveOnce(host, { move, session }, transaction))
}

interface DueMove {
  readonly move: ScheduledMove
  /** Undefined if the user no longer exists. */
  readonly session: Session | null | undefined
}

async function loadSession({ sessions }: MoveHost, userId: string): Promise<Session | undefined> {
  return (await sessions().load?.(userId)) ?? undefined
}

async function moveOnce(host: MoveHost, { move, session }: DueMove, connection: Transaction): Promise<void> {
  const { engine, logger } = host
  const ctx: OperationContext = { ...engine.contextFor(session ?? null), connection, isSystem: move.userId === null }
  const resource = ctx.schema.resources.find(({ table }) => table === move.table)
  if (resource === undefined) {
    logger.warn("A pending transition was dropped: its collection is no longer declared.", { ...move })
    return
  }
  // Another pending transition has replaced this one.
  if ((await connection.query(takePendingMove(resource, move))).rowCount === 0) return
  try {
    if (session === undefined)
      throw new ApiError("FORBIDDEN", { message: "The user who requested it no longer exists." })
    await perform(ctx.schema, () => moveDueRecord(ctx, resource, move))
  } catch (error) {
    // A temporary failure is not a refusal: the job is retried.
    if (!(error instanceof ApiError) || error.code === "SERVICE_UNAVAILABLE") throw error
    logger.warn("A pending transition was refused.", { ...move, error })
    await storeRefusedVersion(ctx, resource, move)
  }
}

async function storeRefusedVersion(
  ctx: OperationContext,
  resource: Resource,
  { id, userId }: ScheduledMove,
): Promise<void> {
  if (resource.versions === undefined) return
  await ctx.connection.query(versionAgain(resource, { ids: [id], user: userId, at: ctx.now(), kind: "refused" }))
}
