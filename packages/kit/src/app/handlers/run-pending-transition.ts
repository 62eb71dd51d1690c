import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { PendingTransitionJob, ScheduleTransition } from "../../engine/context/pending-transition-job.ts"
import { withExplainedErrors } from "../../engine/database/database-errors.ts"
import type { Engine } from "../../engine/engine.ts"
import { performPendingTransition } from "../../engine/operations/writes/transition.ts"
import type { JobQueue } from "../../features/jobs/job-queue.ts"
import type { JobRun } from "../../features/jobs/running-job.ts"
import type { Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Session, SessionLoader } from "../../ports/session-provider.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { takePendingTransition } from "../../sql/stages/pending-transitions.ts"
import { appendVersions } from "../../sql/versions/write-versions.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { TRANSITION_JOB } from "./internal-jobs.ts"

interface TransitionDependencies {
  readonly engine: Engine
  readonly logger: Logger
  readonly sessionLoader: SessionLoader
}

interface SchedulingDependencies {
  readonly queue: JobQueue
  readonly sessionLoader: SessionLoader
}

/** Returns the function that publishes the job of a pending transition. */
export function transitionScheduler({ queue, sessionLoader }: SchedulingDependencies): ScheduleTransition {
  return (connection, payload, startAfter) => {
    requireLoadableSession(sessionLoader, payload)
    return queue.publish(connection, { job: TRANSITION_JOB.definition, payload, options: { startAfter } })
  }
}

// Refuses a pending transition if the user's session cannot be loaded when the transition runs.
function requireLoadableSession({ load }: SessionLoader, { userId }: PendingTransitionJob): void {
  if (typeof userId !== "string" || load !== undefined) return
  throw new Error(
    "scheduledAt needs sessions that can be looked up: give the session provider a function load(userId).",
  )
}

/** Runs a pending transition in the transaction that completes its job, with the rights that its requester has now. */
export async function runPendingTransition(host: TransitionDependencies, run: JobRun): Promise<void> {
  // The cast is safe: only `transitionScheduler` stores the payloads of this job.
  const transition = run.payload as PendingTransitionJob
  const { userId } = transition
  const session = typeof userId === "string" ? await loadSession(host, userId) : null
  await run.transaction((transaction) => transitionOnce(host, { transition, session }, transaction))
}

interface TransitionRun {
  readonly transition: PendingTransitionJob
  /**
   * The session of the transition's requester: undefined if the user no longer exists, null for system code and for an
   * anonymous caller.
   */
  readonly session: Session | null | undefined
}

async function loadSession({ sessionLoader }: TransitionDependencies, userId: string): Promise<Session | undefined> {
  return (await sessionLoader.load?.(userId)) ?? undefined
}

async function transitionOnce(
  host: TransitionDependencies,
  { transition, session }: TransitionRun,
  connection: Transaction,
): Promise<void> {
  const { engine, logger } = host
  const ctx: OperationContext = {
    ...engine.contextFor(session ?? null),
    connection,
    isSystem: transition.userId === null,
  }
  const resource = ctx.schema.resources.find(({ table }) => table === transition.table)
  if (resource === undefined) {
    logger.warn("A pending transition was dropped: its collection is no longer declared.", { ...transition })
    return
  }
  // If no row is found, another pending transition has replaced this one.
  if ((await connection.query(takePendingTransition(resource, transition))).rowCount === 0) return
  try {
    if (session === undefined)
      throw new ApiError("FORBIDDEN", { message: "The user who requested it no longer exists." })
    await withExplainedErrors(ctx.schema, () => performPendingTransition(ctx, resource, transition))
  } catch (error) {
    // A temporary failure does not refuse the transition: the error is thrown again, so that the job is retried.
    if (!(error instanceof ApiError) || error.code === "SERVICE_UNAVAILABLE") throw error
    logger.warn("A pending transition was refused.", { ...transition, error })
    await storeRefusedVersion(ctx, resource, transition)
  }
}

async function storeRefusedVersion(
  ctx: OperationContext,
  resource: Resource,
  { id, userId }: PendingTransitionJob,
): Promise<void> {
  if (resource.versions === undefined) return
  await ctx.connection.query(
    appendVersions(resource, { ids: [id], user: userId ?? null, at: ctx.now(), kind: "refused" }),
  )
}
