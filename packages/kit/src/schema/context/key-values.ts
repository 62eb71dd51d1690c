/** A key-value store for data that may be lost: caches, counters, markers that expire. */
export interface KeyValues {
  /** Returns the value of a key; undefined if there is none or it has expired. Its type is not checked. */
  get<Value = unknown>(key: string): Promise<Value | undefined>
  /**
   * Stores a JSON value; replaces the previous value and its lifetime.
   *
   * await kv.set("rates", rates, { ttl: 3600 })
   */
  set(key: string, value: unknown, options?: TtlOptions): Promise<void>
  /** Resolves to true if there was a value. */
  delete(key: string): Promise<boolean>
  has(key: string): Promise<boolean>
  /**
   * Atomically adds to a whole number, which starts at 0, and resolves to the sum: concurrent calls are all counted.
   * `ttl` applies only if this call creates the number; an existing number keeps its expiry.
   *
   * const tries = await kv.increment(`tries:${address}`, 1, { ttl: 60 })
   */
  increment(key: string, by?: number, options?: TtlOptions): Promise<number>
}

export interface TtlOptions {
  /** The lifetime of the value in seconds; without it, the value does not expire. */
  readonly ttl?: number | undefined
}
