import type { Loan } from "./borrower.ts"
import { type Waiter, WaitQueue } from "./wait-queue.ts"

type SlotRequest = Pick<Loan, "borrower" | "purpose">

interface SlotWaiter extends Waiter<void>, SlotRequest {}

interface UncancellableSemaphoreOptions {
  /** The limit for concurrent writes by all borrowers together. */
  readonly maxWrites: number
  /** The limit for concurrent writes by all callers together. */
  readonly maxCallerWrites: number
  /**
   * How many connections that cannot be preempted one caller may hold. A caller may hold more while it is the only one
   * and returns its connections quickly.
   */
  readonly maxPerCaller: number
  readonly maxQueue: number
  readonly timeoutMs: number
  refuse(waiter: Waiter<void>, reason: "overdue" | "overflow"): void
}

// If a connection is checked out for longer than this, its statement may be waiting for a lock.
const STUCK_MS = 500

/**
 * Limits how many connections run statements that must not be cancelled in favour of other borrowers: writes (which
 * also wait for each other's locks) and the author's SQL. So some connections remain for reads and for other callers. A
 * caller may hold almost all connections while it is the only one and returns them quickly.
 */
export class UncancellableSemaphore {
  readonly #options: UncancellableSemaphoreOptions
  readonly #queue: WaitQueue<SlotWaiter>
  readonly #heldBy = new Map<string, number>()
  #writes = 0
  #callerWrites = 0
  #released = 0
  #areLoansShort = false

  constructor(options: UncancellableSemaphoreOptions) {
    this.#options = options
    this.#queue = new WaitQueue<SlotWaiter>({
      maxLength: () => options.maxQueue,
      timeoutMs: options.timeoutMs,
      onTimeout: (waiter) => options.refuse(waiter, "overdue"),
      onOverflow: (waiter) => options.refuse(waiter, "overflow"),
    })
  }

  /** The number of connections that are checked out for writes. */
  get writes(): number {
    return this.#writes
  }

  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Called at each tick. `ms` is the longest time for which a connection that cannot be preempted has been checked out,
   * or undefined if no such connection is checked out.
   */
  onOldestLoan(ms: number | undefined): void {
    this.#areLoansShort = ms !== undefined && ms < STUCK_MS && this.#released >= this.#options.maxPerCaller
    this.#released = 0
  }

  /**
   * Takes a slot of the semaphore if one is free. Returns true if a slot was taken, or if the purpose is "read", which
   * needs no slot.
   */
  tryAcquire(loan: SlotRequest): boolean {
    if (!this.#isFreeFor(loan)) return false
    this.#count(loan, 1)
    return true
  }

  /** Waits for a slot of the semaphore. `since` is the time at which the borrower began to wait. */
  acquire({ borrower, purpose }: SlotRequest, since: number): Promise<void> {
    return new Promise((resolve, reject) => this.#queue.add({ borrower, purpose, since, resolve, reject }))
  }

  release(loan: SlotRequest): void {
    if (loan.purpose === "read") return
    this.#count(loan, -1)
    this.#released++
    const next = this.#queue.find((waiter) => this.#isFreeFor(waiter))
    if (next === undefined) return
    this.#queue.remove(next)
    this.#count(next, 1)
    next.resolve()
  }

  // True if a slot is free for the borrower. A read needs no slot, and the borrower's `key` is then not accessed,
  // because the first access parses the caller's IP address.
  #isFreeFor({ borrower, purpose }: SlotRequest): boolean {
    if (purpose === "read") return true
    const { key } = borrower
    const { maxWrites, maxCallerWrites, maxPerCaller } = this.#options
    if (purpose === "write" && this.#writes >= maxWrites) return false
    if (key === undefined) return true
    const held = this.#heldBy.get(key) ?? 0
    if (this.#areLoansShort && this.#isOnlyCaller(key)) return held < maxWrites
    if (purpose === "write" && this.#callerWrites >= maxCallerWrites) return false
    return held < maxPerCaller
  }

  #isOnlyCaller(key: string): boolean {
    return this.#heldBy.size === (this.#heldBy.has(key) ? 1 : 0) && !this.#queue.hasOtherCallers(key)
  }

  #count({ borrower, purpose }: SlotRequest, change: 1 | -1): void {
    if (purpose === "read") return
    const { key } = borrower
    if (purpose === "write") this.#writes += change
    if (key === undefined) return
    if (purpose === "write") this.#callerWrites += change
    const held = (this.#heldBy.get(key) ?? 0) + change
    if (held === 0) this.#heldBy.delete(key)
    else this.#heldBy.set(key, held)
  }
}
