import type { DocumentStore } from "./document-store.ts"

/**
 * Runs the work on the offline store one after another. So a document that is opened again finds everything that was
 * written before.
 */
export class StoreQueue {
  readonly #open: () => Promise<DocumentStore>
  #last: Promise<unknown> = Promise.resolve()

  /** The function opens the store. It is called for each piece of work. */
  constructor(open: () => Promise<DocumentStore>) {
    this.#open = open
  }

  run<Result>(work: (store: DocumentStore) => Promise<Result>): Promise<Result> {
    const done = this.#last.then(this.#open).then(work)
    // A failure concerns only the caller whose work failed.
    this.#last = done.catch(() => undefined)
    return done
  }
}
