import type { Connection } from "../../ports/database.ts"
import { DEFAULT_LEASE_MS } from "../../schema/builders/job.ts"
import { releaseLeases } from "./job-rows.ts"

/**
 * Leases whose claim statement failed. The database may have executed the statement nevertheless, even after this
 * process saw the error. The claimed jobs are therefore released repeatedly until the leases would have expired.
 */
export class UnconfirmedLeases {
  /** For each lease, the time at which the lease is forgotten, on the clock of `performance.now()`. */
  readonly #forgetAt = new Map<string, number>()

  add(lease: string): void {
    this.#forgetAt.set(lease, performance.now() + DEFAULT_LEASE_MS)
  }

  /** Releases the jobs that were claimed with these leases. Resolves to true if jobs were released. */
  async release(connection: Connection): Promise<boolean> {
    if (this.#forgetAt.size === 0) return false
    const given = await releaseLeases(connection, [...this.#forgetAt.keys()])
    const now = performance.now()
    for (const [lease, forgetAt] of this.#forgetAt) if (forgetAt < now) this.#forgetAt.delete(lease)
    return given.length > 0
  }
}
