export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** That a limit is used up, and when it is not any more. */
export interface RateExcess {
  readonly limit: number
  readonly retryAfterSeconds: number
  /** Until everything may be used again. */
  readonly resetSeconds: number
}

// A key takes some 200 bytes; who has more addresses than this has no need to outlive a limit.
const MAX_KEYS = 50_000

/**
 * Counts uses by key: so many at once, and given back evenly over the window. It remembers a bounded number of keys,
 * those used last, and one moment for each: when all of its uses will have been given back.
 */
export class RateLimiter {
  readonly #limit: number
  readonly #windowMs: number
  readonly #maxKeys: number
  #recent = new Map<string, number>()
  #older: ReadonlyMap<string, number> = new Map()

  constructor({ requests, windowSeconds }: RateLimit, maxKeys = MAX_KEYS) {
    this.#limit = requests
    this.#windowMs = windowSeconds * 1000
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#recent.size + this.#older.size
  }

  /** Counts one use, unless there is none left: then it says so, and does not count. */
  use(key: string, now: Date): RateExcess | undefined {
    const nowMs = now.getTime()
    const owedMs = this.#owedMs(key, nowMs) + this.#windowMs / this.#limit
    // A tenth of a millisecond lies within what adding up fractions makes of whole numbers.
    if (owedMs > this.#windowMs + 0.1) return this.#excess(owedMs)
    this.#remember(key, nowMs + owedMs)
    return undefined
  }

  // Never more than the window, should the clock be set back.
  #owedMs(key: string, nowMs: number): number {
    const fullAt = this.#recent.get(key) ?? this.#older.get(key) ?? nowMs
    return Math.min(Math.max(fullAt - nowMs, 0), this.#windowMs)
  }

  #excess(owedMs: number): RateExcess {
    return {
      limit: this.#limit,
      retryAfterSeconds: Math.max(Math.ceil((owedMs - this.#windowMs - 0.1) / 1000), 1),
      resetSeconds: Math.ceil((owedMs - this.#windowMs / this.#limit) / 1000),
    }
  }

  // Two halves: when the recent one is full, what was not used since the last time is forgotten at once.
  #remember(key: string, fullAt: number): void {
    this.#recent.set(key, fullAt)
    if (this.#recent.size < this.#maxKeys / 2) return
    this.#older = this.#recent
    this.#recent = new Map()
  }
}
