import type { FileStore, IncomingFile } from "../../ports/file-store.ts"

/** Returns the error to throw for a failed write, for example an error that names the reason. */
type Explain = (error: unknown) => unknown

/** Wraps a file store. The errors of failed writes are replaced by the errors that `explain` returns. */
export function explainStoreErrors(store: FileStore, explain: Explain): FileStore {
  return {
    begin: async () => explainFileErrors(await explained(explain, () => store.begin()), explain),
    open: (key, range) => store.open(key, range),
    remove: (key) => store.remove(key),
    list: () => store.list(),
    removeAbandoned: (before) => store.removeAbandoned(before),
  }
}

function explainFileErrors(file: IncomingFile, explain: Explain): IncomingFile {
  return {
    write: (bytes) => explained(explain, () => file.write(bytes)),
    commit: (key) => explained(explain, () => file.commit(key)),
    discard: () => file.discard(),
  }
}

async function explained<Result>(explain: Explain, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}
