import type { Connection } from "../../../ports/database.ts"
import { CURRENT_POSITION, changeIn, changesSince, type NotedChange } from "../../../sql/changes/read-changes.ts"

export interface FeedListener {
  /** Changes that have been committed, each once, those of a transaction together. No others come before it resolves. */
  onChanges(changes: readonly NotedChange[]): Promise<void>
  /** Changes may have been missed: whatever was read before may be out of date. */
  onGap(): void
  onError(error: unknown): void
}

const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 5_000

/** Reads the changes that all processes have committed, when it is told that there are some. */
export class ChangeFeed {
  readonly #connection: Connection
  readonly #listener: FeedListener
  #position: string | undefined
  /** How often it was closed: what was begun before that does not count any more. */
  #closings = 0
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0

  constructor(connection: Connection, listener: FeedListener) {
    this.#connection = connection
    this.#listener = listener
  }

  /** Whether changes are being followed. */
  get isOpen(): boolean {
    return this.#position !== undefined
  }

  /** Forgets where it was: nobody is interested for now. */
  close(): void {
    this.#closings++
    this.#position = undefined
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  /** There may be changes to read, if anybody is interested. */
  wake(): void {
    // A look that has not begun yet will find them.
    if (!this.isOpen || this.#next || this.#retry) return
    this.catchUp().catch(() => {})
  }

  /** Resolves when all that was committed before has been handed on; from the first time on, changes are followed. */
  catchUp(): Promise<void> {
    this.#next ??= this.#readAfter(this.#reading)
    return this.#next
  }

  async #readAfter(earlier: Promise<void> | undefined): Promise<void> {
    await earlier?.catch(() => {})
    this.#reading = this.#next
    this.#next = undefined
    try {
      await this.#read()
      this.#failures = 0
    } catch (error) {
      this.#listener.onError(error)
      this.#tryAgainLater()
      throw error
    } finally {
      if (this.#next === undefined) this.#reading = undefined
    }
  }

  async #read(): Promise<void> {
    const from = this.#position
    const closings = this.#closings
    const { rows } = await this.#connection.query(from === undefined ? CURRENT_POSITION : changesSince(from))
    // Closed meanwhile, and whoever opens it again begins anew.
    if (closings !== this.#closings) return
    const [position, isLate] = rows[0] ?? []
    this.#position = String(position)
    if (isLate === true) return this.#listener.onGap()
    const changes = rows.map(changeIn).filter((change) => change !== undefined)
    if (from !== undefined && changes.length > 0) await this.#listener.onChanges(changes)
  }

  #tryAgainLater(): void {
    if (this.#retry || this.#position === undefined) return
    const delayMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures)
    this.#failures++
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.wake()
    }, delayMs).unref()
  }
}
