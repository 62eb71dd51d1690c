import type { DocumentStore, StoredUpdateFacts } from "./document-store.ts"

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

  /**
   * Deletes what other users have left in the store. If nobody is signed in, the edits that a user could not send stay: a
   * session may have expired, and the user signs in again.
   */
  async removeOthers(userId: string | null): Promise<void> {
    await this.run(async (store) => {
      const removed = (await store.list()).filter((update) => isRemoved(update, userId))
      for (const { key, id } of removed) await store.replace(key, [id])
    })
  }
}

function isRemoved({ userId: owner, isAcknowledged }: StoredUpdateFacts, userId: string | null): boolean {
  return typeof owner === "string" && owner !== userId && (isAcknowledged || userId !== null)
}
