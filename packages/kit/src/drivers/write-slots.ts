import type { Borrower } from "./borrower.ts"
import { type Waiter, WaitingLine } from "./waiting-line.ts"

export interface WriteSlotsOptions {
  /** Writes of all borrowers together. */
  readonly max: number
  /** Writes of all callers together. */
  readonly maxOfCallers: number
  /** Writes of one caller. */
  readonly maxOfCaller: number
  readonly maxQueue: number
  readonly timeoutMs: number
  refuse(waiter: Waiter<void>, reason: "overdue" | "overflow"): void
}

/**
 * Limits how many connections are lent for writes at a time. Writes wait for each other's locks and cannot be cancelled
 * in favour of others, so a few connections are kept for reads, and for the writes of other callers.
 */
export class WriteSlots {
  readonly #options: WriteSlotsOptions
  readonly #line: WaitingLine<Waiter<void>>
  readonly #heldBy = new Map<string, number>()
  #held = 0
  #heldByCallers = 0

  constructor(options: WriteSlotsOptions) {
    this.#options = options
    this.#line = new WaitingLine<Waiter<void>>({
      maxLength: () => options.maxQueue,
      timeoutMs: options.timeoutMs,
      onOverdue: (waiter) => options.refuse(waiter, "overdue"),
      onOverflow: (waiter) => options.refuse(waiter, "overflow"),
    })
  }

  get held(): number {
    return this.#held
  }

  get waiting(): number {
    return this.#line.length
  }

  /** Takes a slot if one is free for this borrower. */
  tryTake(borrower: Borrower): boolean {
    if (!this.#isFreeFor(borrower)) return false
    this.#count(borrower, 1)
    return true
  }

  /** Waits for a slot; `since` says when the borrower began to wait. */
  take(borrower: Borrower, since: number): Promise<void> {
    return new Promise((resolve, reject) => this.#line.add({ borrower, since, resolve, reject }))
  }

  release(borrower: Borrower): void {
    this.#count(borrower, -1)
    for (const waiter of this.#line) {
      if (!this.#isFreeFor(waiter.borrower)) continue
      this.#line.remove(waiter)
      this.#count(waiter.borrower, 1)
      return waiter.resolve()
    }
  }

  #isFreeFor({ key }: Borrower): boolean {
    const { max, maxOfCallers, maxOfCaller } = this.#options
    if (key === undefined) return this.#held < max
    return this.#heldByCallers < maxOfCallers && this.#held < max && (this.#heldBy.get(key) ?? 0) < maxOfCaller
  }

  #count({ key }: Borrower, change: 1 | -1): void {
    this.#held += change
    if (key === undefined) return
    this.#heldByCallers += change
    const held = (this.#heldBy.get(key) ?? 0) + change
    if (held === 0) this.#heldBy.delete(key)
    else this.#heldBy.set(key, held)
  }
}
