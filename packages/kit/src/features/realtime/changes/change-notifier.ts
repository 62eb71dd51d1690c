import { CHANGE_RETENTION_MS, DELETE_READ_CHANGES } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"

const CHANNEL = "kit_changes"
// All changes committed within this time share one notification to the other processes.
const GATHER_MS = 25
// Delays the first notification, because sending it opens a connection. A process that ends sooner needs no connection.
const FIRST_AFTER_MS = 300
// Each deletion round deletes the changes that were already there in the previous round. So a change committed now is
// deleted after two rounds.
const DELETION_ROUNDS = 2

/**
 * Notifies the other processes when this process has committed changes, and receives their notifications. Deletes the
 * changes that all processes have read.
 */
export class ChangeNotifier {
  readonly #engine: LiveEngine
  readonly #onChangesAvailable: () => void
  #timer: NodeJS.Timeout | undefined
  #deletionTimer: NodeJS.Timeout | undefined
  /** The number of deletion rounds that remain if no further changes are committed. */
  #roundsLeft = 0
  #notifiedAt = Number.NEGATIVE_INFINITY
  #hasConnected = false
  #unsubscribe: (() => void) | undefined

  /** `onChangesAvailable` is called when this process or another one has committed changes, which can be read now. */
  constructor(engine: LiveEngine, onChangesAvailable: () => void) {
    this.#engine = engine
    this.#onChangesAvailable = onChangesAvailable
  }

  /** Called when this process has committed changes. Schedules a notification to the other processes. */
  onCommitted(): void {
    this.#onChangesAvailable()
    this.#roundsLeft = DELETION_ROUNDS
    this.#scheduleDeletion()
    if (this.#timer) return
    const delayMs = this.#hasConnected ? this.#notifiedAt + GATHER_MS - performance.now() : FIRST_AFTER_MS
    if (delayMs <= 0) this.#notify()
    else this.#timer = setTimeout(() => this.#notify(), delayMs).unref()
  }

  /** Subscribes to the change notifications of the other processes. */
  listen(): void {
    this.#hasConnected = true
    this.#unsubscribe ??= this.#engine.bus.subscribe(CHANNEL, {
      onMessage: (from) => from !== this.#engine.instance && this.#onChangesAvailable(),
      // Changes may have been committed before the subscription began. They are still stored, so they are read now.
      onListening: () => this.#onChangesAvailable(),
      onUnannouncedWrite: () => this.#onChangesAvailable(),
    })
  }

  /** Stops listening, and sends the notification that is still pending. */
  async close(): Promise<void> {
    this.#unsubscribe?.()
    clearTimeout(this.#deletionTimer)
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    await this.#engine.bus
      .publishBeforeStop(CHANNEL, this.#engine.instance)
      .catch((error) => this.#engine.onError(error))
  }

  #notify(): void {
    this.#timer = undefined
    this.#hasConnected = true
    this.#notifiedAt = performance.now()
    this.#engine.bus.publish(CHANNEL, this.#engine.instance)
  }

  #scheduleDeletion(): void {
    this.#deletionTimer ??= setTimeout(() => void this.#deleteReadChanges(), 2 * CHANGE_RETENTION_MS).unref()
  }

  async #deleteReadChanges(): Promise<void> {
    this.#deletionTimer = undefined
    this.#roundsLeft--
    if (this.#roundsLeft > 0) this.#scheduleDeletion()
    await this.#engine.connection.query(DELETE_READ_CHANGES).catch((error) => this.#engine.onError(error))
  }
}
