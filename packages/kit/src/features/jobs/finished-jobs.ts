import type { Database } from "../../ports/database.ts"
import { deleteJobs, type JobLease } from "./job-rows.ts"

interface PendingDeletion {
  readonly claim: JobLease
  readonly resolve: (wasOurs: boolean) => void
  readonly reject: (error: unknown) => void
}

/**
 * Deletes finished jobs in batches: all jobs that finish while one DELETE statement runs are deleted by the next one.
 */
export class FinishedJobs {
  readonly #database: Database
  #waiting: PendingDeletion[] = []
  #isRemoving = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Deletes a finished job. Resolves to true if this worker still held the job's lease. */
  remove(claim: JobLease): Promise<boolean> {
    const removed = new Promise<boolean>((resolve, reject) => {
      this.#waiting.push({ claim, resolve, reject })
    })
    if (!this.#isRemoving) void this.#removeAll()
    return removed
  }

  async #removeAll(): Promise<void> {
    this.#isRemoving = true
    while (this.#waiting.length > 0) await this.#removeTogether(this.#waiting.splice(0))
    this.#isRemoving = false
  }

  async #removeTogether(batch: readonly PendingDeletion[]): Promise<void> {
    try {
      const claims = batch.map(({ claim }) => claim)
      const removed = new Set(await deleteJobs(this.#database, claims))
      for (const { claim, resolve } of batch) resolve(removed.has(claim.id))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
