import type { Snapshot } from "./snapshot.ts"

/** How many bytes of snapshots are kept, or wait to be sent. */
export interface ByteBudget {
  /** For the queries that one caller alone follows. */
  readonly perCaller: number
  /** For all of this process. */
  readonly perProcess: number
}

interface Kept {
  bytes: number
  /** By query; the one that was used last is at the end. */
  readonly snapshots: Map<object, Snapshot>
}

// The owner of what several callers follow. A caller's key begins with "user" or "address".
const SEVERAL = "several"

/**
 * The newest snapshots of the queries of this process, as far as the budget goes. A query whose snapshot is not here is run
 * again for whoever asks for it.
 */
export class SnapshotCache {
  readonly #budget: ByteBudget
  readonly #byOwner = new Map<string, Kept>()
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

  /** Keeps the snapshot in place of the one before; `caller` is undefined where several callers follow the query. */
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

  #shrink(kept: Kept, maxBytes: number): void {
    while (kept.bytes > maxBytes) this.#evict(kept)
  }

  #evict({ snapshots }: Kept): void {
    const [oldest] = snapshots.keys()
    if (oldest !== undefined) this.delete(oldest)
  }

  #largest(): Kept {
    let largest: Kept = { bytes: -1, snapshots: new Map() }
    for (const kept of this.#byOwner.values()) if (kept.bytes > largest.bytes) largest = kept
    return largest
  }
}
