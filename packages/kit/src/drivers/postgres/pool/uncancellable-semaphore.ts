import type { Loan } from "./borrower.ts"
import { type Waiter, WaitQueue } from "./wait-queue.ts"

type SlotRequest = Pick<Loan, "borrower" | "purpose">

interface SlotWaiter extends Waiter<void>, SlotRequest {}

export interface UncancellableSemaphoreOptions {
  /** The limit for concurrent writes of all borrowers. */
  readonly maxWrites: number
  /** The limit for concurrent writes of all callers. */
  readonly maxCallerWrites: number
  /** The limit for loans of one caller that cannot be cancelled. A sole caller with short loans may have more. */
  readonly maxPerCaller: number
  readonly maxQueue: number
  readonly timeoutMs: number
  refuse(waiter: Waiter<void>, reason: "overdue" | "overflow"): void
}

// A loan that lasts longer may be waiting for a lock.
const STUCK_MS = 500

/**
 * Limits the connections lent for statements that must not be cancelled in favour of other borrowers: writes, which
 * also wait for each other's locks, and SQL of the author. Some connections are left for reads and for other callers. A
 * sole caller with short loans may hold almost all connections.
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

  /** The number of connections lent for writes. */
  get writes(): number {
    return this.#writes
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Called at each tick with the age of the oldest loan that cannot be cancelled; undefined if there is none. */
  onOldestLoan(ms: number | undefined): void {
    this.#areLoansShort = ms !== undefined && ms < STUCK_MS && this.#released >= this.#options.maxPerCaller
    this.#released = 0
  }

  /** Takes a slot if one is free. Returns true then, and also if the loan needs no slot. */
  tryAcquire(loan: SlotRequest): boolean {
    if (!this.#isFreeFor(loan)) return false
    this.#count(loan, 1)
    return true
  }

  /** Waits for a slot; `since` is the time at which the borrower began to wait. */
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

  // A read does not access `key`, because the first access parses the address of the caller.
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
