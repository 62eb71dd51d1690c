export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** A rate limit that a caller has used up, and when it can be used again. */
export interface RateExcess {
  readonly limit: number
  readonly retryAfterSeconds: number
  /** The number of seconds until the whole limit is available again. */
  readonly resetSeconds: number
}

// The maximum number of keys to remember; a key takes some 200 bytes. A caller with more IP addresses than this could
// get around the limits anyway.
const MAX_KEYS = 50_000

/**
 * Counts uses by key, as a token bucket: a burst of `requests` is allowed, and the tokens refill evenly over the
 * window. It remembers the most recently used keys, up to a maximum, and for each key only the time at which its bucket
 * will be full again.
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

  /** Counts one use of the key. If the limit is used up, returns the excess and counts nothing. */
  use(key: string, now: Date): RateExcess | undefined {
    const nowMs = now.getTime()
    const owedMs = this.#refillMs(key, nowMs) + this.#windowMs / this.#limit
    // Allows 0.1 ms for rounding errors, because `owedMs` is a sum of fractions.
    if (owedMs > this.#windowMs + 0.1) return this.#excess(owedMs)
    this.#remember(key, nowMs + owedMs)
    return undefined
  }

  // Returns the milliseconds until the key's bucket is full: at most the length of the window, even if the clock was
  // set back.
  #refillMs(key: string, nowMs: number): number {
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

  // Stores the time at which the key's bucket will be full. Keys are kept in two maps. When the recent map is full, it
  // replaces the older map, whose keys are then forgotten.
  #remember(key: string, fullAt: number): void {
    this.#recent.set(key, fullAt)
    if (this.#recent.size < this.#maxKeys / 2) return
    this.#older = this.#recent
    this.#recent = new Map()
  }
}
