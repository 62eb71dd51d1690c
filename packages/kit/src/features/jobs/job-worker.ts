import type { DueClock } from "../../engine/database/due-clock.ts"
import { RecurringTask } from "../../engine/database/recurring-task.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import { CronSchedule } from "./cron-schedule.ts"
import { FinishedJobs } from "./finished-jobs.ts"
import { Housekeeping } from "./housekeeping.ts"
import type { JobNotification, JobQueue } from "./job-queue.ts"
import { type ClaimedJob, claimJobs, hasDueJobs, type JobCapacity, releaseJobs } from "./job-rows.ts"
import { runJob } from "./run-job.ts"
import { type JobRun, RunAborted, RunningJob } from "./running-job.ts"
import { UnconfirmedLeases } from "./unconfirmed-leases.ts"

interface JobWorkerDependencies {
  /** The connection pool for the transactions of job handlers. */
  readonly database: Database
  /**
   * A separate pool of two connections for the worker itself, so that busy handlers cannot delay the extension of
   * leases.
   */
  readonly bookkeeping: Database
  readonly queue: JobQueue
  readonly logger: Logger
  /** The jobs that this worker can run. It ignores jobs with other names. */
  readonly jobs: readonly JobDefinition[]
  /** The maximum number of jobs that run at the same time. */
  readonly concurrency: number
  /** The worker's name, which is stored with each job that it runs. */
  readonly name: string
  readonly dueNow: DueClock
  /**
   * True if this process may claim jobs. False while they would fail here, for example because the tables have changed:
   * they are left for a process that can run them.
   */
  readonly mayWork: () => boolean
  /** Calls the job's handler with this run. */
  readonly run: (run: JobRun) => Promise<unknown>
}

// The shortest time between two polls. Workers normally react to notifications, and also poll, to find jobs whose
// notification was missed or whose row was locked. After a notification they poll soon, and then less and less often.
const POLL_MIN_MS = 50
const POLL_MAX_MS = 3_000
const POLL_GROWTH = 4
const STOP_TIMEOUT_MS = 10_000

/** Claims and runs jobs until it is stopped. */
export class JobWorker {
  readonly #setup: JobWorkerDependencies
  readonly #jobs: ReadonlyMap<string, JobDefinition>
  readonly #running = new Map<RunningJob, Promise<void>>()
  readonly #finished: FinishedJobs
  readonly #unconfirmedLeases = new UnconfirmedLeases()
  readonly #claiming: RecurringTask
  readonly #housekeeping: Housekeeping
  readonly #cron: CronSchedule
  #stopListening = () => {}
  #isStopping = false
  /** False if jobs may be waiting that this worker had no capacity to claim. */
  #isDrained = false
  #pollPauseMs = POLL_MIN_MS
  #onIdle = () => {}

  constructor(setup: JobWorkerDependencies) {
    const { bookkeeping, logger } = setup
    this.#setup = setup
    this.#jobs = new Map(setup.jobs.map((job) => [job.name, job]))
    this.#finished = new FinishedJobs(bookkeeping)
    this.#claiming = new RecurringTask({
      work: () => this.#claim(),
      onError: (error) => logger.warn("Polling for jobs failed; retrying.", { error }),
    })
    this.#housekeeping = new Housekeeping({ ...setup, running: () => this.#runs() })
    this.#cron = new CronSchedule(setup)
  }

  async start(): Promise<void> {
    await this.#cron.start()
    this.#stopListening = this.#setup.queue.subscribe((notice) => this.#onNotification(notice))
    this.#housekeeping.start()
    this.#claiming.runNow()
  }

  /** Looks for jobs that have become due because the clock was changed. */
  catchUp(): void {
    this.#cron.catchUp()
    this.#housekeeping.lookForDue()
  }

  /** Like `catchUp`, but resolves when no due job is left, including jobs that are published in the meantime. */
  async settle(): Promise<void> {
    const { bookkeeping, dueNow } = this.#setup
    const names = [...this.#jobs.keys()]
    do {
      await Promise.all([this.#cron.publishDue(), this.#housekeeping.promoteDue()])
      await this.#claiming.runToEnd()
      await Promise.all(this.#running.values())
    } while (!this.#isStopping && this.#setup.mayWork() && (await hasDueJobs(bookkeeping, { names, now: dueNow() })))
  }

  /**
   * Stops claiming jobs and waits for the running jobs. Jobs that do not finish before the timeout are released to
   * other workers.
   */
  async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
    this.#isStopping = true
    this.#stopListening()
    await Promise.all([this.#cron.stop(), this.#claiming.stop()])
    await this.#idleWithin(timeoutMs)
    await this.#abortAndRelease(this.#runs())
    await this.#housekeeping.stop()
  }

  #runs(): readonly RunningJob[] {
    return [...this.#running.keys()]
  }

  #onNotification({ kind, name }: JobNotification): void {
    if (kind === "later") this.#housekeeping.lookForDue()
    else if (name === undefined || this.#jobs.has(name)) this.#poll()
  }

  #poll(): void {
    this.#pollPauseMs = POLL_MIN_MS
    this.#claiming.runNow()
  }

  async #claim(): Promise<number> {
    const { concurrency, mayWork } = this.#setup
    await this.#releaseUnconfirmed()
    if (!mayWork()) return POLL_MAX_MS
    const limit = concurrency - this.#running.size
    const rooms = this.#capacities(limit)
    this.#isDrained = false
    if (limit <= 0 || rooms.length === 0) return POLL_MAX_MS
    const askedAt = performance.now()
    const claimed = await this.#claimJobs(rooms, limit)
    if (this.#isStopping) await this.#release(claimed)
    else for (const claim of claimed) this.#startJob(claim, askedAt)
    const isCapped = rooms.length < this.#jobs.size || rooms.some(({ free }) => free < limit)
    this.#isDrained = claimed.length < limit && !isCapped
    return this.#nextPollMs()
  }

  async #claimJobs(capacities: readonly JobCapacity[], limit: number): Promise<readonly ClaimedJob[]> {
    const { bookkeeping, name: worker, dueNow } = this.#setup
    const lease = crypto.randomUUID()
    try {
      return await claimJobs(bookkeeping, { capacities, limit, lease, worker, now: dueNow() })
    } catch (error) {
      this.#unconfirmedLeases.add(lease)
      throw error
    }
  }

  #nextPollMs(): number {
    const pauseMs = this.#pollPauseMs
    this.#pollPauseMs = Math.min(POLL_MAX_MS, pauseMs * POLL_GROWTH)
    return pauseMs
  }

  /** Returns the free capacity for each job name. Job names without free capacity are left out. */
  #capacities(free: number): readonly JobCapacity[] {
    const counts = new Map<string, number>()
    for (const { job } of this.#running.keys()) counts.set(job.name, (counts.get(job.name) ?? 0) + 1)
    const capacities = [...this.#jobs.values()].map(({ name, concurrency, leaseMs }) => {
      return { name, leaseMs, free: Math.min(free, concurrency - (counts.get(name) ?? 0)) }
    })
    return capacities.filter((each) => each.free > 0)
  }

  #startJob(claim: ClaimedJob, askedAt: number): void {
    const job = this.#jobs.get(claim.name)
    // This cannot happen: a worker claims only jobs whose names it knows.
    if (!job) throw new Error(`This worker does not know the job "${claim.name}".`)
    const running = new RunningJob(this.#setup.database, job, claim)
    running.setLeasedAt(askedAt)
    this.#running.set(running, this.#runToEnd(running))
  }

  async #runToEnd(running: RunningJob): Promise<void> {
    const { isRetried } = await runJob({ ...this.#setup, finished: this.#finished }, running)
    this.#running.delete(running)
    if (isRetried) this.#housekeeping.lookForDue()
    if (!this.#isDrained) this.#claiming.runNow()
    if (this.#running.size === 0) this.#onIdle()
  }

  #idleWithin(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#running.size === 0) this.#onIdle()
    })
  }

  async #abortAndRelease(rest: readonly RunningJob[]): Promise<void> {
    for (const running of rest) running.abort(new RunAborted("stopping", "The worker stops."))
    const given = Promise.all([this.#release(rest.map(({ claim }) => claim)), this.#releaseUnconfirmed()])
    await given.catch((error) =>
      this.#setup.logger.warn(
        "Unfinished jobs could not be released; other workers take them when their leases expire.",
        { error },
      ),
    )
  }

  async #releaseUnconfirmed(): Promise<void> {
    const { bookkeeping, queue } = this.#setup
    if (await this.#unconfirmedLeases.release(bookkeeping)) queue.notify({ kind: "due" })
  }

  async #release(claims: readonly ClaimedJob[]): Promise<void> {
    if (claims.length === 0) return
    const { bookkeeping, queue } = this.#setup
    const given = await releaseJobs(bookkeeping, claims)
    if (given.length > 0) queue.notify({ kind: "due" })
  }
}
