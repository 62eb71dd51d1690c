import { appendWriteMarks, type NamedWrite } from "../../../sql/changes/changes.ts"
import type { LiveEngine } from "../live-engine.ts"

/** Stores the marks of named writes. Writes that end while a statement is under way share the next statement. */
export class WriteMarks {
  readonly #engine: Pick<LiveEngine, "connection" | "onError">
  #storing: Promise<void> | undefined
  #next: { readonly writes: NamedWrite[]; readonly stored: Promise<void> } | undefined

  constructor(engine: Pick<LiveEngine, "connection" | "onError">) {
    this.#engine = engine
  }

  /**
   * Marks the end of a write that has been committed. Resolves also if the mark could not be stored: the write has
   * succeeded all the same, and its client does without the announcement.
   */
  append(write: NamedWrite): Promise<void> {
    this.#next ??= this.#newBatch()
    this.#next.writes.push(write)
    return this.#next.stored
  }

  #newBatch() {
    const writes: NamedWrite[] = []
    return { writes, stored: this.#storeAfter(this.#storing, writes) }
  }

  async #storeAfter(earlier: Promise<void> | undefined, writes: readonly NamedWrite[]): Promise<void> {
    // The statement begins in a later turn in any case, so that the batch is complete and `#next` is set.
    await earlier
    this.#storing = this.#next?.stored
    this.#next = undefined
    try {
      await this.#engine.connection.query(appendWriteMarks(writes))
    } catch (error) {
      this.#engine.onError(error)
    }
  }
}
