import type { DueClock } from "../../engine/database/due-clock.ts"
import { RecurringTask } from "../../engine/database/recurring-task.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { JobQueue } from "./job-queue.ts"
import { extendLeases, msUntilNextDue, promoteDue, requeueExpired } from "./job-rows.ts"
import { RunAborted, type RunningJob } from "./running-job.ts"

interface HousekeepingDependencies {
  readonly bookkeeping: Database
  readonly queue: JobQueue
  readonly logger: Logger
  readonly dueNow: DueClock
  /** Returns the jobs that this worker is running now. */
  readonly running: () => readonly RunningJob[]
}

const LEASES_EVERY_MS = 500
// A lease is extended after this fraction of its length. The remaining time allows retries if an extension fails.
const EXTEND_AFTER = 1 / 3
// The interval between searches for expired leases. The job of a crashed worker waits until its lease expires and then
// for the next search. Jobs that must not be late have short leases, so this interval is short too.
const SWEEP_EVERY_MS = 1_000
const LOOK_EVERY_MS = 5_000

/**
 * The periodic tasks of a worker: extends the leases of its running jobs, requeues the jobs of crashed workers, and
 * makes scheduled jobs available when they are due.
 */
export class Housekeeping {
  readonly #setup: HousekeepingDependencies
  readonly #leases: RecurringTask
  readonly #sweep: RecurringTask
  readonly #due: RecurringTask

  constructor(setup: HousekeepingDependencies) {
    this.#setup = setup
    const recurring = (work: () => Promise<number>, task: string) =>
      new RecurringTask({ work, onError: (error) => setup.logger.warn(`${task} failed; retrying.`, { error }) })
    this.#leases = recurring(() => this.#extendLeases(), "Extending the leases of running jobs")
    this.#sweep = recurring(() => this.#requeueExpired(), "Requeueing jobs with an expired lease")
    this.#due = recurring(() => this.#promote(), "Promoting scheduled jobs that are due")
  }

  start(): void {
    for (const task of [this.#leases, this.#sweep, this.#due]) task.runNow()
  }

  /**
   * Looks for scheduled jobs that are due. Called when a scheduled job may have been added, or when the clock was
   * changed.
   */
  lookForDue(): void {
    this.#due.runNow()
  }

  /** Like `lookForDue`, but resolves when all due jobs are available to workers. */
  promoteDue(): Promise<void> {
    return this.#due.runToEnd()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#leases, this.#sweep, this.#due].map((task) => task.stop()))
  }

  async #extendLeases(): Promise<number> {
    const running = this.#setup.running()
    try {
      const aging = running.filter(needsExtension)
      if (aging.length > 0) await this.#extend(aging)
      return LEASES_EVERY_MS
    } finally {
      abortExpired(running)
    }
  }

  async #extend(running: readonly RunningJob[]): Promise<void> {
    const askedAt = performance.now()
    const claims = running.map(({ claim, job }) => ({ ...claim, leaseMs: job.leaseMs }))
    const extended = new Set(await extendLeases(this.#setup.bookkeeping, claims))
    for (const job of running) if (extended.has(job.claim.id)) job.setLeasedAt(askedAt)
  }

  async #requeueExpired(): Promise<number> {
    const { bookkeeping, queue, dueNow } = this.#setup
    const held = this.#setup.running().map(({ claim }) => claim)
    const taken = await requeueExpired(bookkeeping, { now: dueNow(), held })
    if (taken.length > 0) queue.notify({ kind: "due" })
    return SWEEP_EVERY_MS
  }

  async #promote(): Promise<number> {
    const { bookkeeping, queue, dueNow } = this.#setup
    const promoted = await promoteDue(bookkeeping, dueNow())
    if (promoted.length > 0) queue.notify({ kind: "due" })
    const untilNextMs = (await msUntilNextDue(bookkeeping, dueNow())) ?? LOOK_EVERY_MS
    return Math.max(0, Math.min(untilNextMs, LOOK_EVERY_MS))
  }
}

function needsExtension({ leaseEndsAt, job }: RunningJob): boolean {
  return leaseEndsAt - performance.now() <= job.leaseMs * (1 - EXTEND_AFTER)
}

function abortExpired(running: readonly RunningJob[]): void {
  const now = performance.now()
  for (const job of running.filter(({ leaseEndsAt }) => leaseEndsAt < now)) job.abort(leaseLost())
}

function leaseLost(): RunAborted {
  return new RunAborted("lost", "The lease of the job was not extended in time, so another worker may have it.")
}
