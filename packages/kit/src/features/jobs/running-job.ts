import type { Database, Transaction } from "../../ports/database.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import { type ClaimedJob, deleteJob } from "./job-rows.ts"

/** What a run is given to work with. */
export interface JobRun {
  readonly job: JobDefinition
  readonly id: string
  /** What the schema made of the stored payload. */
  readonly payload: unknown
  readonly attempt: number
  readonly publishedBy: string | null
  /** Aborts when this run no longer counts. */
  readonly signal: AbortSignal
  /**
   * Commits the work together with the end of the job, so that it takes effect once. After that the job is done,
   * whatever else its handler does.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/** Why a run no longer counts. */
export class RunAborted extends Error {
  override readonly name = "RunAborted"
  readonly reason: "timeout" | "lost" | "stopping"

  constructor(reason: RunAborted["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** One try of one job by this worker. */
export class RunningJob {
  readonly job: JobDefinition
  readonly claim: ClaimedJob
  readonly #database: Database
  readonly #controller = new AbortController()
  /** Rejects when the run is aborted, and never resolves. */
  readonly #aborted: Promise<never>
  /** The last moment, on our own clock, at which the lease certainly holds. */
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
    // It may be aborted while nobody waits.
    this.#aborted.catch(() => {})
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether its work and its end are stored. */
  get isCommitted(): boolean {
    return this.#isCommitted
  }

  get leaseEndsAt(): number {
    return this.#leaseEndsAt
  }

  /** The lease was asked for at this moment of `performance.now()`. */
  leasedAt(moment: number): void {
    this.#leaseEndsAt = moment + this.job.leaseMs
  }

  abort(reason: RunAborted): void {
    this.#controller.abort(reason)
    // It fails now, and a handler that did not await it is not there to hear of it.
    this.#transaction?.catch(() => {})
  }

  /** Resolves when the work is over, a transaction that it forgot to await included; rejects as soon as it is aborted. */
  async untilOver(work: Promise<unknown>): Promise<void> {
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
    const transaction = this.#commitWithEnd(work).finally(() => {
      this.#transaction = undefined
    })
    this.#transaction = transaction
    return transaction
  }

  async #commitWithEnd<Result>(work: Work<Result>): Promise<Result> {
    this.signal.throwIfAborted()
    const result = await this.#database.transaction(async (transaction) => {
      const result = await this.orAborted(work(transaction))
      if (!(await deleteJob(transaction, this.claim))) throw this.#lost()
      return result
    })
    this.#isCommitted = true
    return result
  }

  #lost(): RunAborted {
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
