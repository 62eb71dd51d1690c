import type { FileStore, IncomingFile } from "../../ports/file-store.ts"

interface Watch {
  /** Finds the reason for a failed write. */
  explain(error: unknown): unknown
  /** A file was stored. */
  noteStored(): void
}

/** A store whose failures are explained before anybody sees them. */
export function watchStore(store: FileStore, watch: Watch): FileStore {
  return {
    begin: async () => watchFile(await explained(watch, () => store.begin()), watch),
    open: (key, range) => store.open(key, range),
    remove: (key) => store.remove(key),
    removeAbandoned: (before) => store.removeAbandoned(before),
  }
}

function watchFile(file: IncomingFile, watch: Watch): IncomingFile {
  return {
    write: (bytes) => explained(watch, () => file.write(bytes)),
    commit: async (key) => {
      await explained(watch, () => file.commit(key))
      watch.noteStored()
    },
    discard: () => file.discard(),
  }
}

async function explained<Result>({ explain }: Watch, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}
