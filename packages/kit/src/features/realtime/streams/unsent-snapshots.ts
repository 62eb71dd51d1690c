import type { ByteBudget } from "../topics/byte-budget.ts"

/**
 * A snapshot that was written to a stream and that still waits in memory, because the stream's client has not read it
 * yet.
 */
interface UnsentSnapshot {
  readonly caller: string
  /** The bytes of the snapshot. All streams to which the same snapshot was written share this buffer. */
  readonly data: Buffer
  /** Ends the stream to which the snapshot was written. */
  cut(): void
}

/**
 * The snapshots that stay in memory because slow clients have not read them. Above the byte budget, the streams whose
 * clients have read nothing for the longest time are ended. These clients reconnect and continue from their last
 * snapshots.
 */
export class UnsentSnapshots {
  readonly #budget: ByteBudget
  readonly #all = new SharedBytes()
  readonly #byCaller = new Map<string, SharedBytes>()

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Counts the snapshot as unread until the returned function is called. */
  hold(unsent: UnsentSnapshot): () => void {
    const own = this.#byCaller.get(unsent.caller) ?? new SharedBytes()
    this.#byCaller.set(unsent.caller, own)
    own.add(unsent)
    this.#all.add(unsent)
    // A snapshot that alone exceeds the budget is still sent, if the caller has no other unread snapshot.
    while (own.bytes > this.#budget.perCaller && own.size > 1) this.#cut(own.oldest)
    while (this.#all.bytes > this.#budget.perProcess && this.#all.size > 1) this.#cut(this.#largest()?.oldest)
    return () => this.#release(unsent)
  }

  // Ends the stream of an unread snapshot. The snapshot is released here, because the stream may be unable to do so: if
  // it is just calling `hold`, it has not received the function that releases the snapshot yet.
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

/** Counts the bytes of each snapshot once, however many clients have not read it yet. */
class SharedBytes {
  readonly #holders = new Set<UnsentSnapshot>()
  readonly #counts = new Map<Buffer, number>()
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
    const { data } = unsent
    this.#holders.add(unsent)
    const count = this.#counts.get(data) ?? 0
    if (count === 0) this.#bytes += data.length
    this.#counts.set(data, count + 1)
  }

  delete(unsent: UnsentSnapshot): void {
    const { data } = unsent
    if (!this.#holders.delete(unsent)) return
    const count = (this.#counts.get(data) ?? 1) - 1
    if (count > 0) return void this.#counts.set(data, count)
    this.#counts.delete(data)
    this.#bytes -= data.length
  }
}
