import type { Database, Transaction } from "../../ports/database.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import { type ClaimedJob, deleteJob } from "./job-rows.ts"

/** One run of a job, as the job's handler sees it. */
export interface JobRun {
  readonly job: JobDefinition
  readonly id: string
  /** The stored payload, parsed with the job's schema. */
  readonly payload: unknown
  readonly attempt: number
  readonly publishedBy: string | null
  /** Aborts when the result of this run will be ignored, for example after a timeout. */
  readonly signal: AbortSignal
  /**
   * Runs `work` in a transaction that also deletes the job, so that the work takes effect exactly once. After the
   * commit the job is done, even if its handler throws.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/** The error with which a run is aborted. The result of an aborted run is ignored. */
export class RunAborted extends Error {
  override readonly name = "RunAborted"
  readonly reason: "timeout" | "lost" | "stopping"

  constructor(reason: RunAborted["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** One attempt of this worker to run a job. */
export class RunningJob {
  readonly job: JobDefinition
  readonly claim: ClaimedJob
  readonly #database: Database
  readonly #controller = new AbortController()
  /** A promise that rejects when the run is aborted, and never resolves. */
  readonly #aborted: Promise<never>
  /** The time until which the lease certainly holds, on the clock of `performance.now()`. */
  #leaseEndsAt = 0
  #transaction: Promise<unknown> | undefined
  #isCommitted = false

  constructor(database: Database, job: JobDefinition, claim: ClaimedJob) {
    this.#database = database
    this.job = job
    this.claim = claim
    this.#aborted = new Promise((_, reject) => {
      const { signal } = this.#controller
      signal.addEventListener("abort", () => reject(signal.reason))
    })
    // Avoids an unhandled rejection if the run is aborted while no code awaits this promise.
    this.#aborted.catch(() => {})
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** True if the transaction that contains the job's work and deletes the job has been committed. */
  get isCommitted(): boolean {
    return this.#isCommitted
  }

  get leaseEndsAt(): number {
    return this.#leaseEndsAt
  }

  /**
   * Sets the end of the lease, counted from `moment`: the time when the lease was requested, on the clock of
   * `performance.now()`.
   */
  setLeasedAt(moment: number): void {
    this.#leaseEndsAt = moment + this.job.leaseMs
  }

  abort(reason: RunAborted): void {
    this.#controller.abort(reason)
    // The abort makes the job's transaction reject. If the handler does not await the transaction, this avoids an
    // unhandled rejection.
    this.#transaction?.catch(() => {})
  }

  /**
   * Resolves when the handler's work and the job's transaction are done, even if the handler did not await the
   * transaction. Rejects as soon as the run is aborted.
   */
  async untilDone(work: Promise<unknown>): Promise<void> {
    await this.orAborted(work)
    if (this.#transaction) await this.orAborted(this.#transaction)
  }

  orAborted<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.#aborted])
  }

  toRun(payload: unknown): JobRun {
    const { id, attempt, publishedBy } = this.claim
    return {
      ...{ job: this.job, id, payload, attempt, publishedBy, signal: this.signal },
      transaction: (work) => this.#beginTransaction(work),
    }
  }

  #beginTransaction<Result>(work: Work<Result>): Promise<Result> {
    if (this.#isCommitted || this.#transaction) return Promise.reject(secondTransaction(this.job))
    const transaction = this.#commitWithDeletion(work).finally(() => {
      this.#transaction = undefined
    })
    this.#transaction = transaction
    return transaction
  }

  async #commitWithDeletion<Result>(work: Work<Result>): Promise<Result> {
    this.signal.throwIfAborted()
    const result = await this.#database.transaction(async (transaction) => {
      const result = await this.orAborted(work(transaction))
      if (!(await deleteJob(transaction, this.claim))) throw this.#leaseLost()
      return result
    })
    this.#isCommitted = true
    return result
  }

  #leaseLost(): RunAborted {
    const lost = new RunAborted(
      "lost",
      `Another worker has taken over job ${this.claim.id}, so its work was rolled back.`,
    )
    this.abort(lost)
    return lost
  }
}

function secondTransaction({ name }: JobDefinition): Error {
  return new Error(
    `Job "${name}" opened a second transaction: the first one ends the job. ` +
      "Put everything that must be stored together into one, or publish another job in it.",
  )
}
