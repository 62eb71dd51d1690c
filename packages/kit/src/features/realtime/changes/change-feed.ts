import {
  type CommittedChange,
  CURRENT_POSITION,
  changesSince,
  decodeChange,
} from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"

interface FeedCallbacks {
  /**
   * Receives each committed change once; all changes of a transaction come in one call. The feed makes the next call
   * only after the returned promise has resolved.
   */
  onChanges(changes: readonly CommittedChange[]): Promise<void>
  /** Called when the feed may have missed changes. Every result that was read earlier may be out of date. */
  onGap(): void
}

const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 5_000

/** Reads the committed changes of all processes, whenever it is woken. */
export class ChangeFeed {
  readonly #engine: LiveEngine
  readonly #callbacks: FeedCallbacks
  #position: string | undefined
  /** The number of times that the feed was closed. A read that began before the last close drops its result. */
  #closings = 0
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0

  constructor(engine: LiveEngine, callbacks: FeedCallbacks) {
    this.#engine = engine
    this.#callbacks = callbacks
  }

  /** True while the feed is open, that is, while it has a position from which to read changes. */
  get isOpen(): boolean {
    return this.#position !== undefined
  }

  /** Stops reading changes and forgets the position. Called when no subscribers are left. */
  close(): void {
    this.#closings++
    this.#position = undefined
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  /** Reads the new changes, if there are any and the feed is open. */
  wake(): void {
    // Does nothing if a read is already scheduled: that read will return the new changes.
    if (!this.isOpen || this.#next || this.#retry) return
    this.catchUp().catch(() => {})
  }

  /**
   * Resolves when all changes committed before this call have been passed to the callbacks. The first call opens the
   * feed.
   */
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
      this.#engine.onError(error)
      this.#tryAgainLater()
      throw error
    } finally {
      if (this.#next === undefined) this.#reading = undefined
    }
  }

  async #read(): Promise<void> {
    const from = this.#position
    const closings = this.#closings
    const { rows } = await this.#engine.connection.query(from === undefined ? CURRENT_POSITION : changesSince(from))
    // The feed was closed during this read, so the result is dropped. When the feed opens again, it starts at a new
    // position.
    if (closings !== this.#closings) return
    const [position, isLate] = rows[0] ?? []
    this.#position = String(position)
    if (isLate === true) return this.#callbacks.onGap()
    const changes = rows.map(decodeChange).filter((change) => change !== undefined)
    if (from !== undefined && changes.length > 0) await this.#callbacks.onChanges(changes)
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
