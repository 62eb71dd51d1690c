/** A store of values under keys, for what may be lost: caches, counters, marks that expire. */
export interface KeyValues {
  /** The value under the key; undefined when there is none, or its time is over. What it is, only its writer knows. */
  get<Value = unknown>(key: string): Promise<Value | undefined>
  /**
   * Keeps what JSON can hold; what was there before, and its lifetime, are gone.
   *
   * await kv.set("rates", rates, { ttl: 3600 })
   */
  set(key: string, value: unknown, options?: Lifespan): Promise<void>
  /** Resolves to whether there was a value. */
  delete(key: string): Promise<boolean>
  has(key: string): Promise<boolean>
  /**
   * Adds to a whole number, which starts at 0, and resolves to the sum. However many callers do so at once, each is
   * counted. `ttl` is for a number that starts here; one that is there keeps its own end.
   *
   * const tries = await kv.increment(`tries:${address}`, 1, { ttl: 60 })
   */
  increment(key: string, by?: number, options?: Lifespan): Promise<number>
}

export interface Lifespan {
  /** How many seconds the value is kept; without it, for good. */
  readonly ttl?: number | undefined
}
