/** A key-value store for data that may be lost: caches, counters, markers that expire. */
export interface KeyValues {
  /** Returns the value of a key, or undefined if it has no value or the value has expired. The type is not checked. */
  get<Value = unknown>(key: string): Promise<Value | undefined>
  /**
   * Stores a JSON value under a key. It replaces the previous value and that value's lifetime.
   *
   * await kv.set("rates", rates, { ttl: 3600 })
   */
  set(key: string, value: unknown, options?: TtlOptions): Promise<void>
  /** Deletes the value of a key. Resolves to true if the key had a value. */
  delete(key: string): Promise<boolean>
  has(key: string): Promise<boolean>
  /**
   * Atomically adds to the whole number under a key, and resolves to the sum. Concurrent calls are all counted. A
   * missing number counts as 0. `ttl` applies only if this call creates the number; an existing number keeps its
   * expiry.
   *
   * const tries = await kv.increment(`tries:${address}`, 1, { ttl: 60 })
   */
  increment(key: string, by?: number, options?: TtlOptions): Promise<number>
}

export interface TtlOptions {
  /** The lifetime of the value in seconds. Without it, the value does not expire. */
  readonly ttl?: number | undefined
}
