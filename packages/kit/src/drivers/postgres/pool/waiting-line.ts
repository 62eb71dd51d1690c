import type { Borrower } from "./borrower.ts"
import { startTimer } from "./start-timer.ts"

export interface Waiter<Grant> {
  readonly borrower: Borrower
  /** In milliseconds of `performance.now()`. */
  readonly since: number
  readonly resolve: (grant: Grant) => void
  readonly reject: (error: unknown) => void
}

export interface LineOptions<Waiting> {
  maxLength(): number
  readonly timeoutMs: number
  /** Called with each waiter that is taken out because it has waited for too long. */
  onOverdue(waiter: Waiting): void
  /** Called with the waiter that has to make room for one of a caller who waits less often. */
  onOverflow(waiter: Waiting): void
}

/** Those who wait for something, in the order in which they came. */
export class WaitingLine<Waiting extends Waiter<never>> {
  readonly #options: LineOptions<Waiting>
  readonly #waiters: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: LineOptions<Waiting>) {
    this.#options = options
  }

  get length(): number {
    return this.#waiters.length
  }

  get first(): Waiting | undefined {
    return this.#waiters[0]
  }

  /** Whether somebody else than this caller waits. */
  hasOthersThan(key: string | undefined): boolean {
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

  /** Takes out all for whom the condition holds. */
  extract(condition: (waiter: Waiting) => boolean): readonly Waiting[] {
    const taken = this.#waiters.filter(condition)
    for (const waiter of taken) this.remove(waiter)
    return taken
  }

  // Somebody else than the last one gives way where a caller has filled the line: the newest of those of that caller.
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
      for (const waiter of this.extract(({ since }) => since <= overdueSince)) this.#options.onOverdue(waiter)
      this.#watch()
    })
  }
}
