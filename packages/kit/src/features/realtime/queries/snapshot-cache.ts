import type { ByteBudget } from "../topics/byte-budget.ts"
import type { Snapshot } from "./snapshot.ts"

interface OwnedSnapshots {
  bytes: number
  /** The snapshots by live query, the most recently used last. */
  readonly snapshots: Map<object, Snapshot>
}

// The cache key that is used instead of a caller for snapshots that several callers share. It cannot be a caller, whose
// key begins with "user" or "address".
const SEVERAL = "several"

/**
 * Caches the newest snapshots of this process's live queries, within a byte budget. The budget of a
 * caller covers the live queries that no other caller follows. If the snapshot of a query has been
 * evicted, the query runs again when a subscriber requests the snapshot.
 */
export class SnapshotCache {
  readonly #budget: ByteBudget
  readonly #byOwner = new Map<string, OwnedSnapshots>()
  readonly #owners = new Map<object, string>()
  #bytes = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  get(query: object): Snapshot | undefined {
    const kept = this.#byOwner.get(this.#owners.get(query) ?? "")
    const snapshot = kept?.snapshots.get(query)
    if (!kept || !snapshot) return undefined
    kept.snapshots.delete(query)
    kept.snapshots.set(query, snapshot)
    return snapshot
  }

  /** Replaces the cached snapshot of the query. `caller` is undefined if several callers follow the query. */
  set(query: object, snapshot: Snapshot, caller: string | undefined): void {
    this.delete(query)
    const owner = caller ?? SEVERAL
    const kept = this.#byOwner.get(owner) ?? { bytes: 0, snapshots: new Map() }
    this.#byOwner.set(owner, kept)
    kept.snapshots.set(query, snapshot)
    kept.bytes += snapshot.data.length
    this.#owners.set(query, owner)
    this.#bytes += snapshot.data.length
    if (owner !== SEVERAL) this.#shrink(kept, this.#budget.perCaller)
    while (this.#bytes > this.#budget.perProcess) this.#evict(this.#largest())
  }

  delete(query: object): void {
    const owner = this.#owners.get(query)
    if (owner === undefined) return
    this.#owners.delete(query)
    const kept = this.#byOwner.get(owner)
    const snapshot = kept?.snapshots.get(query)
    if (!kept || !snapshot) return
    kept.snapshots.delete(query)
    kept.bytes -= snapshot.data.length
    this.#bytes -= snapshot.data.length
    if (kept.snapshots.size === 0) this.#byOwner.delete(owner)
  }

  #shrink(kept: OwnedSnapshots, maxBytes: number): void {
    while (kept.bytes > maxBytes) this.#evict(kept)
  }

  #evict({ snapshots }: OwnedSnapshots): void {
    const [oldest] = snapshots.keys()
    if (oldest !== undefined) this.delete(oldest)
  }

  #largest(): OwnedSnapshots {
    let largest: OwnedSnapshots = { bytes: -1, snapshots: new Map() }
    for (const kept of this.#byOwner.values()) if (kept.bytes > largest.bytes) largest = kept
    return largest
  }
}
