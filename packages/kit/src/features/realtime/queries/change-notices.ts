import type { Database } from "../../../ports/database.ts"
import type { MessageBus } from "../../../ports/message-bus.ts"
import { CHANGES_KEPT_MS, FORGET_READ_CHANGES } from "../../../sql/changes/read-changes.ts"

interface NoticeParts {
  /** Names this process among those of the app. */
  readonly instance: string
  readonly database: Database
  readonly bus: MessageBus
  /** There are changes to read. */
  onNotice(): void
  onError(error: unknown): void
}

const CHANNEL = "kit_changes"
// One notice for all that is committed within this time.
const GATHER_MS = 25
// The first notice of a process opens a connection, for which what lives shorter than this has no need.
const FIRST_AFTER_MS = 300
// Whoever forgets changes forgets those that the last one has seen: what is committed now is gone after two of them.
const FORGET_ROUNDS = 2

/** Tells the other processes that this one has committed changes, and this one of theirs. It forgets what all have read. */
export class ChangeNotices {
  readonly #parts: NoticeParts
  #timer: NodeJS.Timeout | undefined
  #forgetting: NodeJS.Timeout | undefined
  /** How often changes are still to be forgotten, if nothing more is committed. */
  #roundsLeft = 0
  #noticedAt = Number.NEGATIVE_INFINITY
  #hasNoticed = false
  #unsubscribe: (() => void) | undefined

  constructor(parts: NoticeParts) {
    this.#parts = parts
  }

  /** This process has committed changes. */
  committed(): void {
    this.#parts.onNotice()
    this.#roundsLeft = FORGET_ROUNDS
    this.#forgetLater()
    if (this.#timer) return
    const delayMs = this.#hasNoticed ? this.#noticedAt + GATHER_MS - performance.now() : FIRST_AFTER_MS
    if (delayMs <= 0) this.#notice()
    else this.#timer = setTimeout(() => this.#notice(), delayMs).unref()
  }

  /** Hears of what other processes commit, from now on. */
  listen(): void {
    this.#hasNoticed = true
    this.#unsubscribe ??= this.#parts.bus.subscribe(CHANNEL, {
      onMessage: (from) => from !== this.#parts.instance && this.#parts.onNotice(),
      // What was said while nobody listened is still there to be read.
      onListening: () => this.#parts.onNotice(),
      onSilence: () => this.#parts.onNotice(),
    })
  }

  /** A notice that waits is still sent. */
  async close(): Promise<void> {
    this.#unsubscribe?.()
    clearTimeout(this.#forgetting)
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    await this.#parts.bus.publishLast(CHANNEL, this.#parts.instance).catch((error) => this.#parts.onError(error))
  }

  #notice(): void {
    this.#timer = undefined
    this.#hasNoticed = true
    this.#noticedAt = performance.now()
    this.#parts.bus.publish(CHANNEL, this.#parts.instance)
  }

  #forgetLater(): void {
    this.#forgetting ??= setTimeout(() => void this.#forget(), 2 * CHANGES_KEPT_MS).unref()
  }

  async #forget(): Promise<void> {
    this.#forgetting = undefined
    this.#roundsLeft--
    if (this.#roundsLeft > 0) this.#forgetLater()
    await this.#parts.database.query(FORGET_READ_CHANGES).catch((error) => this.#parts.onError(error))
  }
}
