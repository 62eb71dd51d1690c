import type { Logger } from "../../../ports/logger.ts"
import type { UnwrittenValue } from "./value-writer.ts"

interface PendingOptions {
  write(unwritten: UnwrittenValue): Promise<void>
  /** Called if a value was not written. It is then left to the search for unwritten values. */
  onFailed(): void
  readonly logger: Logger
}

interface Pending {
  unwritten: UnwrittenValue
  /** Ends a pause after the last edit. */
  pauseTimer: NodeJS.Timeout
  /** Ends the time for which a value may stay unwritten while people keep typing. */
  readonly limitTimer: NodeJS.Timeout
}

// The length of the pause after which a value is written.
const PAUSE_MS = 1_000
// The longest time for which an edit waits for its value to be written.
const LIMIT_MS = 5_000

/** Writes the values of edited documents after a pause, and never two values of one document at the same time. */
export class PendingValues {
  readonly #options: PendingOptions
  readonly #pending = new Map<string, Pending>()
  readonly #running = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(given: PendingOptions) {
    this.#options = given
  }

  /** To be called after each edit of a document. */
  schedule(unwritten: UnwrittenValue): void {
    if (this.#isStopped) return
    const { id } = unwritten
    const pending = this.#pending.get(id)
    const pauseTimer = setTimeout(() => this.#writeWhenFree(id), PAUSE_MS)
    if (pending) {
      clearTimeout(pending.pauseTimer)
      Object.assign(pending, { unwritten: latest(pending.unwritten, unwritten), pauseTimer })
      return
    }
    const limitTimer = setTimeout(() => this.#writeWhenFree(id), LIMIT_MS)
    this.#pending.set(id, { unwritten, pauseTimer, limitTimer })
  }

  /** Writes all pending values now. Resolves when none is left. */
  async settle(): Promise<void> {
    while (this.#pending.size + this.#running.size > 0) {
      for (const id of this.#pending.keys()) this.#writeWhenFree(id)
      await Promise.all(this.#running.values())
    }
  }

  /** Stops the timers without writing. No value is scheduled any longer. */
  stop(): void {
    this.#isStopped = true
    for (const id of this.#pending.keys()) this.#take(id)
  }

  #writeWhenFree(id: string): void {
    const running = this.#running.get(id)
    // The write that is running may have read the document before the last edit.
    if (running) {
      void running.then(() => this.#writeWhenFree(id))
      return
    }
    const pending = this.#take(id)
    if (pending === undefined) return
    this.#running.set(
      id,
      this.#write(pending.unwritten).finally(() => this.#running.delete(id)),
    )
  }

  #take(id: string): Pending | undefined {
    const pending = this.#pending.get(id)
    clearTimeout(pending?.pauseTimer)
    clearTimeout(pending?.limitTimer)
    this.#pending.delete(id)
    return pending
  }

  async #write(unwritten: UnwrittenValue): Promise<void> {
    const { write, onFailed, logger } = this.#options
    try {
      await write(unwritten)
    } catch (error) {
      logger.warn("The value of a shared document was not written. It is tried again.", { error })
      onFailed()
    }
  }
}

// A caller that does not know the last editor's session does not replace one who does.
function latest(before: UnwrittenValue, after: UnwrittenValue): UnwrittenValue {
  return after.session === undefined ? before : after
}
