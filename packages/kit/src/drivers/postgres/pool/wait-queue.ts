import type { Borrower } from "./borrower.ts"
import { startTimer } from "./start-timer.ts"

export interface Waiter<Grant> {
  readonly borrower: Borrower
  /** The time at which the borrower began to wait, in milliseconds of `performance.now()`. */
  readonly since: number
  readonly resolve: (grant: Grant) => void
  readonly reject: (error: unknown) => void
}

interface WaitQueueOptions<Waiting> {
  maxLength(): number
  readonly timeoutMs: number
  /** Called with each waiter that was removed because it had waited longer than `timeoutMs`. */
  onTimeout(waiter: Waiting): void
  /** Called with the waiter that was removed because the queue was full. */
  onOverflow(waiter: Waiting): void
}

/** A queue of borrowers that wait for a connection or a slot, with a maximum length and a timeout. */
export class WaitQueue<Waiting extends Waiter<never>> {
  readonly #options: WaitQueueOptions<Waiting>
  readonly #waiters: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: WaitQueueOptions<Waiting>) {
    this.#options = options
  }

  get length(): number {
    return this.#waiters.length
  }

  get first(): Waiting | undefined {
    return this.#waiters[0]
  }

  /** True if the queue contains a waiter with another key, which belongs to another caller or to the app itself. */
  hasOtherCallers(key: string | undefined): boolean {
    return this.#waiters.some(({ borrower }) => borrower.key !== key)
  }

  [Symbol.iterator](): Iterator<Waiting> {
    return this.#waiters[Symbol.iterator]()
  }

  find(condition: (waiter: Waiting) => boolean): Waiting | undefined {
    return this.#waiters.find(condition)
  }

  add(waiter: Waiting): void {
    this.#waiters.push(waiter)
    this.#watch()
    if (this.#waiters.length <= this.#options.maxLength()) return
    const overflow = this.#chooseOverflow(waiter)
    this.remove(overflow)
    this.#options.onOverflow(overflow)
  }

  remove(waiter: Waiting): void {
    const at = this.#waiters.indexOf(waiter)
    if (at !== -1) this.#waiters.splice(at, 1)
  }

  /** Removes and returns all waiters that match the condition. */
  extract(condition: (waiter: Waiting) => boolean): readonly Waiting[] {
    const taken = this.#waiters.filter(condition)
    for (const waiter of taken) this.remove(waiter)
    return taken
  }

  // Returns the waiter to remove from a full queue. Usually that is the new waiter. If another caller has filled the
  // queue, it is the newest waiter of that caller.
  #chooseOverflow(last: Waiting): Waiting {
    const counts = new Map<string | undefined, number>()
    for (const { borrower } of this.#waiters) counts.set(borrower.key, (counts.get(borrower.key) ?? 0) + 1)
    const countOf = ({ borrower }: Waiting) => counts.get(borrower.key) ?? 0
    const longest = this.#waiters.reduce((chosen, waiter) => (countOf(waiter) >= countOf(chosen) ? waiter : chosen))
    return countOf(longest) > countOf(last) + 1 ? longest : last
  }

  #watch(): void {
    if (this.#timer || this.#waiters.length === 0) return
    const oldest = this.#waiters.reduce((since, waiter) => Math.min(since, waiter.since), Number.POSITIVE_INFINITY)
    this.#timer = startTimer(oldest + this.#options.timeoutMs, () => {
      this.#timer = undefined
      const overdueSince = performance.now() - this.#options.timeoutMs
      for (const waiter of this.extract(({ since }) => since <= overdueSince)) this.#options.onTimeout(waiter)
      this.#watch()
    })
  }
}
