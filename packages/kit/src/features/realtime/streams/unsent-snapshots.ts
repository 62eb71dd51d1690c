import type { Snapshot } from "../queries/snapshot.ts"
import type { ByteBudget } from "../queries/snapshot-cache.ts"

/** A snapshot that was sent on a stream and that its client has not read yet. */
interface UnsentSnapshot {
  readonly caller: string
  readonly snapshot: Snapshot
  /** Ends the stream. */
  cut(): void
}

/**
 * The snapshots that slow clients hold in memory. Above the budget, the streams that have read nothing for the longest
 * time are cut; their clients reconnect and continue from what they have.
 */
export class UnsentSnapshots {
  readonly #budget: ByteBudget
  readonly #all = new SharedBytes()
  readonly #byCaller = new Map<string, SharedBytes>()

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Counts the snapshot until the returned function is called. */
  hold(unsent: UnsentSnapshot): () => void {
    const own = this.#byCaller.get(unsent.caller) ?? new SharedBytes()
    this.#byCaller.set(unsent.caller, own)
    own.add(unsent)
    this.#all.add(unsent)
    // A single snapshot is sent even above the budget: the caller has nothing else on the way.
    while (own.bytes > this.#budget.perCaller && own.size > 1) this.#cut(own.oldest)
    while (this.#all.bytes > this.#budget.perProcess && this.#all.size > 1) this.#cut(this.#largest()?.oldest)
    return () => this.#release(unsent)
  }

  // Released before it is cut: the stream that is being served may be the one to cut, and cannot release it yet.
  #cut(unsent: UnsentSnapshot | undefined): void {
    if (!unsent) return
    this.#release(unsent)
    unsent.cut()
  }

  #release(unsent: UnsentSnapshot): void {
    this.#all.delete(unsent)
    const own = this.#byCaller.get(unsent.caller)
    own?.delete(unsent)
    if (own?.size === 0) this.#byCaller.delete(unsent.caller)
  }

  #largest(): SharedBytes | undefined {
    let largest: SharedBytes | undefined
    for (const own of this.#byCaller.values()) if (own.bytes > (largest?.bytes ?? -1)) largest = own
    return largest
  }
}

/** Counts the bytes of a snapshot once, however many clients have not read it yet. */
class SharedBytes {
  readonly #holders = new Set<UnsentSnapshot>()
  readonly #counts = new Map<Snapshot, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#holders.size
  }

  get oldest(): UnsentSnapshot | undefined {
    return this.#holders.values().next().value
  }

  add(unsent: UnsentSnapshot): void {
    const { snapshot } = unsent
    this.#holders.add(unsent)
    const count = this.#counts.get(snapshot) ?? 0
    if (count === 0) this.#bytes += snapshot.data.length
    this.#counts.set(snapshot, count + 1)
  }

  delete(unsent: UnsentSnapshot): void {
    const { snapshot } = unsent
    if (!this.#holders.delete(unsent)) return
    const count = (this.#counts.get(snapshot) ?? 1) - 1
    if (count > 0) return void this.#counts.set(snapshot, count)
    this.#counts.delete(snapshot)
    this.#bytes -= snapshot.data.length
  }
}
