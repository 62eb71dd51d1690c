import type { Database, Transaction } from "../../ports/database.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import { type ClaimedJob, deleteJob } from "./job-rows.ts"

/** One run of a job, as its handler sees it. */
export interface JobRun {
  readonly job: JobDefinition
  readonly id: string
  /** The stored payload, parsed by the schema. */
  readonly payload: unknown
  readonly attempt: number
  readonly publishedBy: string | null
  /** Aborts when the result of this run will be ignored. */
  readonly signal: AbortSignal
  /**
   * Commits the work together with the deletion of the job, so that it takes effect exactly once. After the commit the
   * job is done, even if its handler throws.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/** The reason why the result of a run is ignored. */
export class RunAborted extends Error {
  override readonly name = "RunAborted"
  readonly reason: "timeout" | "lost" | "stopping"

  constructor(reason: RunAborted["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** One attempt of a job by this worker. */
export class RunningJob {
  readonly job: JobDefinition
  readonly claim: ClaimedJob
  readonly #database: Database
  readonly #controller = new AbortController()
  /** Rejects when the run is aborted, and never resolves. */
  readonly #aborted: Promise<never>
  /** The `performance.now()` time until which the lease certainly holds. */
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
    // Avoids an unhandled rejection if it is aborted while no code awaits it.
    this.#aborted.catch(() => {})
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** True if its work and its end are committed. */
  get isCommitted(): boolean {
    return this.#isCommitted
  }

  get leaseEndsAt(): number {
    return this.#leaseEndsAt
  }

  /** Sets the `performance.now()` time at which the lease was requested. */
  setLeasedAt(moment: number): void {
    this.#leaseEndsAt = moment + this.job.leaseMs
  }

  abort(reason: RunAborted): void {
    this.#controller.abort(reason)
    // Its transaction now rejects, and a handler that did not await it would leave the rejection unhandled.
    this.#transaction?.catch(() => {})
  }

  /** Resolves when the work and its transaction, awaited or not, are done; rejects as soon as the run is aborted. */
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
