/** Values under keys, as a driver keeps them. Keys, values and lifetimes are checked before they get here. */
export interface KeyValueStore {
  /** The JSON text under the key; undefined when there is none, or its time is over. */
  get(key: string): Promise<string | undefined>
  /** Keeps the JSON text, for as long as it says: what was there before, and its lifetime, are gone. */
  set(key: string, json: string, ttlMs: number | undefined): Promise<void>
  /** Resolves to whether there was a value. */
  delete(key: string): Promise<boolean>
  has(key: string): Promise<boolean>
  /**
   * Adds to the number under the key, or to 0, in one step that no other call can come between. The lifetime counts
   * for a number that starts here; one that is there keeps its own. Resolves to the sum; to null, with nothing
   * changed, when the value or the sum is no safe whole number.
   */
  increment(key: string, by: number, ttlMs: number | undefined): Promise<number | null>
  close?(): Promise<void>
}
