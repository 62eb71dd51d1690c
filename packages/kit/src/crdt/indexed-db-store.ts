import type { DocumentStore, StoredUpdate, StoredUpdateFacts } from "./document-store.ts"

// The part of the browser's IndexedDB that this file uses.
declare const indexedDB: { open(name: string, version: number): OpenRequest }

interface Request<Result> {
  readonly result: Result
  readonly error: unknown
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}

interface OpenRequest extends Request<Database> {
  onupgradeneeded: (() => void) | null
}

interface Database {
  onversionchange: (() => void) | null
  createObjectStore(name: string, options: object): { createIndex(name: string, path: string): void }
  transaction(name: string, mode: "readonly" | "readwrite"): Transaction
  close(): void
}

interface Transaction {
  readonly error: unknown
  oncomplete: (() => void) | null
  onabort: (() => void) | null
  objectStore(name: string): Table
}

interface Table {
  add(row: object): Request<number>
  delete(id: number): void
  clear(): void
  getAll(): Request<StoredRow[]>
  index(name: string): { getAll(key: string): Request<StoredRow[]> }
}

type StoredRow = StoredUpdateFacts & StoredUpdate

const UPDATES = "updates"
const BY_KEY = "byKey"

/** Keeps documents in the browser's IndexedDB, in the database with this name. */
export function indexedDbStore(name: string): DocumentStore {
  let opened: Database | undefined
  // The calls come one after another. After a failure, the next call opens the database again.
  const change = async <Result>(work: (table: Table) => Result): Promise<Result> => {
    opened ??= await open(name, () => {
      opened = undefined
    })
    return await inTransaction(opened, work)
  }
  const read = async (rows: (table: Table) => Request<StoredRow[]>) => (await change(rows)).result
  return {
    load: (key) => read((table) => table.index(BY_KEY).getAll(key)),
    append: async (key, update) => (await change((table) => table.add({ ...update, key }))).result,
    replace: async (key, ids, update) => {
      const added = await change((table) => {
        for (const id of ids) table.delete(id)
        return update && table.add({ ...update, key })
      })
      return added?.result
    },
    list: async () => (await read((table) => table.getAll())).map(({ update: _bytes, ...facts }) => facts),
    clear: () => change((table) => table.clear()),
  }
}

function open(name: string, onClosed: () => void): Promise<Database> {
  const request = indexedDB.open(name, 1)
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => {
      request.result.createObjectStore(UPDATES, { keyPath: "id", autoIncrement: true }).createIndex(BY_KEY, "key")
    }
    request.onsuccess = () => {
      // Another tab may delete the database or bring a newer version of it. An open connection would block that.
      request.result.onversionchange = () => {
        onClosed()
        request.result.close()
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
}

/** Runs the work in one transaction, and resolves after its commit. */
function inTransaction<Result>(database: Database, work: (table: Table) => Result): Promise<Result> {
  const transaction = database.transaction(UPDATES, "readwrite")
  return new Promise((resolve, reject) => {
    const result = work(transaction.objectStore(UPDATES))
    transaction.oncomplete = () => resolve(result)
    transaction.onabort = () => reject(transaction.error)
  })
}
