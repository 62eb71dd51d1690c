import type { DocumentStore, StoredUpdate, StoredUpdateFacts } from "../../src/crdt.ts"

/** A store in memory, which several clients may share as the tabs of a browser do. */
export function memoryStore() {
  const rows = new Map<number, StoredUpdateFacts & StoredUpdate>()
  let lastId = 0
  const add = (key: string, update: StoredUpdate): number => {
    rows.set(++lastId, { ...update, key, id: lastId })
    return lastId
  }
  const store: DocumentStore = {
    load: (key) => Promise.resolve([...rows.values()].filter((row) => row.key === key)),
    append: (key, update) => Promise.resolve(add(key, update)),
    replace: (key, ids, update) => {
      for (const id of ids) rows.delete(id)
      return Promise.resolve(update && add(key, update))
    },
    list: () => Promise.resolve([...rows.values()].map(({ update: _bytes, ...facts }) => facts)),
    clear: () => Promise.resolve(rows.clear()),
  }
  return store
}
