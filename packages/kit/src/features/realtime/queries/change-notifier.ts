import type { Database } from "../../../ports/database.ts"
import type { MessageBus } from "../../../ports/message-bus.ts"
import { CHANGE_RETENTION_MS, DELETE_READ_CHANGES } from "../../../sql/changes/read-changes.ts"

interface NotifierDependencies {
  /** The id of this process among those of the app. */
  readonly instance: string
  readonly database: Database
  readonly bus: MessageBus
  /** Called when there are changes to read. */
  onChangesAvailable(): void
  onError(error: unknown): void
}

const CHANNEL = "kit_changes"
// One notification covers everything that is committed within this time.
const GATHER_MS = 25
// The first notification of a process opens a connection, which a process that lives shorter than this does not need.
const FIRST_AFTER_MS = 300
// Each round deletes the changes that the round before it has seen: a change committed now is gone after two rounds.
const DELETION_ROUNDS = 2

/**
 * Notifies the other processes that this one has committed changes, and this one of theirs. Deletes the changes that
 * all have read.
 */
export class ChangeNotifier {
  readonly #dependencies: NotifierDependencies
  #timer: NodeJS.Timeout | undefined
  #deletionTimer: NodeJS.Timeout | undefined
  /** The number of deletion rounds still to run if nothing more is committed. */
  #roundsLeft = 0
  #notifiedAt = Number.NEGATIVE_INFINITY
  #hasConnected = false
  #unsubscribe: (() => void) | undefined

  constructor(parts: NotifierDependencies) {
    this.#dependencies = parts
  }

  /** Called when this process has committed changes. */
  onCommitted(): void {
    this.#dependencies.onChangesAvailable()
    this.#roundsLeft = DELETION_ROUNDS
    this.#scheduleDeletion()
    if (this.#timer) return
    const delayMs = this.#hasConnected ? this.#notifiedAt + GATHER_MS - performance.now() : FIRST_AFTER_MS
    if (delayMs <= 0) this.#notify()
    else this.#timer = setTimeout(() => this.#notify(), delayMs).unref()
  }

  /** Subscribes to the notifications of other processes. */
  listen(): void {
    this.#hasConnected = true
    this.#unsubscribe ??= this.#dependencies.bus.subscribe(CHANNEL, {
      onMessage: (from) => from !== this.#dependencies.instance && this.#dependencies.onChangesAvailable(),
      // Changes committed before the subscription began are still there to be read.
      onListening: () => this.#dependencies.onChangesAvailable(),
      onUnannouncedWrite: () => this.#dependencies.onChangesAvailable(),
    })
  }

  /** Sends a pending notification before it closes. */
  async close(): Promise<void> {
    this.#unsubscribe?.()
    clearTimeout(this.#deletionTimer)
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    await this.#dependencies.bus
      .publishBeforeStop(CHANNEL, this.#dependencies.instance)
      .catch((error) => this.#dependencies.onError(error))
  }

  #notify(): void {
    this.#timer = undefined
    this.#hasConnected = true
    this.#notifiedAt = performance.now()
    this.#dependencies.bus.publish(CHANNEL, this.#dependencies.instance)
  }

  #scheduleDeletion(): void {
    this.#deletionTimer ??= setTimeout(() => void this.#deleteReadChanges(), 2 * CHANGE_RETENTION_MS).unref()
  }

  async #deleteReadChanges(): Promise<void> {
    this.#deletionTimer = undefined
    this.#roundsLeft--
    if (this.#roundsLeft > 0) this.#scheduleDeletion()
    await this.#dependencies.database.query(DELETE_READ_CHANGES).catch((error) => this.#dependencies.onError(error))
  }
}
