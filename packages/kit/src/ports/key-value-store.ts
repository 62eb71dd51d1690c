/** A driver that stores values under keys. Keys, values and lifetimes are checked before they reach the driver. */
export interface KeyValueStore {
  /** Returns the JSON text under the key, or undefined if the key has no value or its value has expired. */
  get(key: string): Promise<string | undefined>
  /**
   * Stores the JSON text for `ttlMs` milliseconds, or without expiry. Replaces the key's previous value and lifetime.
   */
  set(key: string, json: string, ttlMs: number | undefined): Promise<void>
  /** Deletes the key's value. Resolves to true if the key had one. */
  delete(key: string): Promise<boolean>
  has(key: string): Promise<boolean>
  /**
   * Adds `by` to the number under the key, or to 0 if the key has no value, atomically. A new number expires after
   * `ttlMs` milliseconds; an existing number keeps its expiry time. Resolves to the sum. If the value or the sum is not
   * a safe integer, it resolves to null and nothing changes.
   */
  increment(key: string, by: number, ttlMs: number | undefined): Promise<number | null>
  close?(): Promise<void>
}
