import type { KeyValueStore } from "../../ports/key-value-store.ts"

// A whole number in JSON with at most 16 digits, which has the longest safe integers.
const INTEGER = /^-?\d{1,16}$/

/**
 * Returns a store for the code of one dry run. It begins with the values of `store`, and keeps changes to itself. A value
 * that it has read or written does not expire, because no dry run lasts long.
 */
export function dryRunStore(store: KeyValueStore): KeyValueStore {
  const values = new Map<string, string | undefined>()
  const load = async (key: string): Promise<void> => {
    if (values.has(key)) return
    const json = await store.get(key)
    // Meanwhile, other code of the dry run may have written the key.
    if (!values.has(key)) values.set(key, json)
  }
  return {
    async get(key) {
      await load(key)
      return values.get(key)
    },
    set(key, json) {
      values.set(key, json)
      return Promise.resolve()
    },
    async delete(key) {
      await load(key)
      const hadValue = values.get(key) !== undefined
      values.set(key, undefined)
      return hadValue
    },
    async has(key) {
      await load(key)
      return values.get(key) !== undefined
    },
    async increment(key, by) {
      await load(key)
      const json = values.get(key) ?? "0"
      const sum = INTEGER.test(json) ? Number(json) + by : Number.NaN
      if (!Number.isSafeInteger(sum)) return null
      values.set(key, String(sum))
      return sum
    },
  }
}
