import type { Connection } from "../../ports/database.ts"
import { DEFAULT_LEASE_MS } from "../../schema/builders/job.ts"
import { giveBackLeases } from "./job-rows.ts"

/**
 * Claims whose answer never came. The database may have carried them out, and may do so even after we have heard of the
 * failure, so they are given back again and again until their leases would end by themselves.
 */
export class LostClaims {
  /** By lease, the moment of `performance.now()` at which it is forgotten. */
  readonly #forgetAt = new Map<string, number>()

  note(lease: string): void {
    this.#forgetAt.set(lease, performance.now() + DEFAULT_LEASE_MS)
  }

  /** Whether there were jobs to give back. */
  async giveBack(connection: Connection): Promise<boolean> {
    if (this.#forgetAt.size === 0) return false
    const given = await giveBackLeases(connection, [...this.#forgetAt.keys()])
    const now = performance.now()
    for (const [lease, forgetAt] of this.#forgetAt) if (forgetAt < now) this.#forgetAt.delete(lease)
    return given.length > 0
  }
}
