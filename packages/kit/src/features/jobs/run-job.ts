import { setTimeout as wait } from "node:timers/promises"
import type { DueClock } from "../../engine/database/due-clock.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { FinishedJobs } from "./finished-jobs.ts"
import { errorText, retryDelayMs } from "./job-failure.ts"
import { parsePayload } from "./job-payload.ts"
import { failJob, retryJob } from "./job-rows.ts"
import { type JobRun, RunAborted, type RunningJob } from "./running-job.ts"

interface RunContext {
  /** A separate connection pool for the job queue's own statements, which job handlers cannot exhaust. */
  readonly bookkeeping: Database
  readonly finished: FinishedJobs
  readonly logger: Logger
  readonly dueNow: DueClock
  /** Calls the job's handler with this run. */
  readonly run: (run: JobRun) => Promise<unknown>
}

type Outcome = { readonly kind: "done" } | { readonly kind: "thrown"; readonly error: unknown }

const REPEAT_MS = 250

interface StoredOutcome {
  /** True if another attempt of the job is scheduled. */
  readonly isRetried: boolean
}

const NOT_RETRIED: StoredOutcome = { isRetried: false }

/** Runs one attempt of a claimed job and stores the outcome. */
export async function runJob(ctx: RunContext, running: RunningJob): Promise<StoredOutcome> {
  const { timeoutMs } = running.job
  const timer = setTimeout(() => running.abort(tookTooLong(timeoutMs)), timeoutMs)
  const outcome = await attempt(ctx, running)
  clearTimeout(timer)
  return storeOutcome(ctx, running, outcome)
}

async function attempt(ctx: RunContext, running: RunningJob): Promise<Outcome> {
  try {
    const payload = await running.orAborted(parsePayload(running.job, running.claim.payload))
    await running.untilDone(ctx.run(running.toRun(payload)))
    return { kind: "done" }
  } catch (error) {
    return { kind: "thrown", error }
  }
}

async function storeOutcome(ctx: RunContext, running: RunningJob, outcome: Outcome): Promise<StoredOutcome> {
  if (running.isCommitted) return logLateError(ctx, running, outcome)
  if (outcome.kind === "done") {
    await storeWithRetries(ctx, running, () => remove(ctx, running))
    return NOT_RETRIED
  }
  // If the run was aborted, the abort reason is the cause of the failure. The error that the handler threw is only a
  // consequence.
  const reason: unknown = running.signal.aborted ? running.signal.reason : outcome.error
  if (reason instanceof RunAborted && reason.reason !== "timeout") return logAborted(ctx, running, reason)
  return storeFailure(ctx, running, reason)
}

async function remove({ finished, logger }: RunContext, running: RunningJob): Promise<void> {
  const wasOurs = await finished.remove(running.claim)
  if (!wasOurs)
    logger.warn("A job finished after it was cancelled or taken over by another worker.", logFieldsOf(running))
}

function logLateError({ logger }: RunContext, running: RunningJob, outcome: Outcome): StoredOutcome {
  if (outcome.kind === "done") return NOT_RETRIED
  logger.warn("A job threw after its transaction had committed.", { ...logFieldsOf(running), error: outcome.error })
  return NOT_RETRIED
}

function logAborted({ logger }: RunContext, running: RunningJob, reason: RunAborted): StoredOutcome {
  logger.warn("A job was aborted and will run again.", { ...logFieldsOf(running), error: reason })
  return NOT_RETRIED
}

async function storeFailure(ctx: RunContext, running: RunningJob, error: unknown): Promise<StoredOutcome> {
  const { claim, job } = running
  const text = errorText(error)
  if (claim.attempt >= claim.maxAttempts) {
    ctx.logger.error("A job failed its last attempt and is kept.", { ...logFieldsOf(running), error })
    await storeWithRetries(ctx, running, () => failJob(ctx.bookkeeping, claim, { now: ctx.dueNow(), error: text }))
    return NOT_RETRIED
  }
  const delayMs = retryDelayMs(job, claim.attempt)
  const retryInSeconds = delayMs / 1000
  ctx.logger.warn("A job failed and will be tried again.", { ...logFieldsOf(running), error, retryInSeconds })
  await storeWithRetries(ctx, running, () =>
    retryJob(ctx.bookkeeping, claim, { now: ctx.dueNow(), delayMs, error: text }),
  )
  return { isRetried: true }
}

// Stores the outcome of a job. Retries the write while the lease lasts, so that a short outage of the database does not
// cause a second run of the job.
async function storeWithRetries(ctx: RunContext, running: RunningJob, write: () => Promise<unknown>): Promise<void> {
  let failure = await failureOf(write)
  while (failure && performance.now() + REPEAT_MS < running.leaseEndsAt) {
    await wait(REPEAT_MS)
    failure = await failureOf(write)
  }
  if (!failure) return
  const message = "The outcome of a job could not be stored, so it will run again."
  ctx.logger.error(message, { ...logFieldsOf(running), ...failure })
}

async function failureOf(write: () => Promise<unknown>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    return { error }
  }
}

function logFieldsOf({ job, claim }: RunningJob) {
  return { job: job.name, jobId: claim.id, attempt: claim.attempt }
}

function tookTooLong(timeoutMs: number): RunAborted {
  return new RunAborted("timeout", `The job took longer than its timeout of ${timeoutMs / 1000} s.`)
}
