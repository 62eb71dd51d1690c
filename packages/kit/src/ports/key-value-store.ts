/** Values under keys, as a driver stores them. Keys, values and lifetimes are checked before they reach the driver. */
export interface KeyValueStore {
  /** The JSON text under the key; undefined if there is none, or if it has expired. */
  get(key: string): Promise<string | undefined>
  /** Stores the JSON text for `ttlMs`, or without expiry. It replaces the previous value and its lifetime. */
  set(key: string, json: string, ttlMs: number | undefined): Promise<void>
  /** Resolves to true if there was a value. */
  delete(key: string): Promise<boolean>
  has(key: string): Promise<boolean>
  /**
   * Adds to the number under the key, or to 0, atomically. The lifetime applies to a number that this call creates; an
   * existing number keeps its own. Resolves to the sum, or to null, with nothing changed, if the value or the sum is
   * not a safe integer.
   */
  increment(key: string, by: number, ttlMs: number | undefined): Promise<number | null>
  close?(): Promise<void>
}
