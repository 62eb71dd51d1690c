import {
  type Awareness,
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from "y-protocols/awareness"

interface RelaySettings {
  readonly awareness: Awareness
  /** The least time between two requests that only contain the user's state. */
  readonly intervalMs: number
  /** Called when the user's own state should be sent. */
  readonly onDue: () => void
}

export const NOTHING: Uint8Array = new Uint8Array()

/** Passes the user's own awareness state on to the server, not too often, and the states of others to the replica. */
export class AwarenessRelay {
  readonly #settings: RelaySettings
  #isActive = false
  #hasChanged = false
  #sentAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(settings: RelaySettings) {
    this.#settings = settings
    settings.awareness.on("update", this.#onUpdate)
    // The library renews the state by a timer of its own, which must not keep a Node process alive. In browsers a timer
    // is a number without `unref`.
    settings.awareness._checkInterval?.unref?.()
  }

  /** True if the user's state has changed and may be sent now in a request of its own. */
  get isDue(): boolean {
    return this.#isActive && this.#hasChanged && this.#waitMs <= 0
  }

  /** Returns the user's state if it has changed since the last call; otherwise no bytes. */
  take(): Uint8Array {
    if (!this.#isActive || !this.#hasChanged) return NOTHING
    this.#hasChanged = false
    this.#sentAt = performance.now()
    return encodeAwarenessUpdate(this.#settings.awareness, [this.#settings.awareness.clientID])
  }

  /** Called when the state that was taken last has not reached the server. */
  takeBack(): void {
    this.#hasChanged = true
    this.#schedule()
  }

  /** Starts to send the user's state, beginning with the current one. */
  start(): void {
    const { awareness } = this.#settings
    this.#isActive = true
    // Others apply a state only if its clock is higher than the one that they know. This raises it.
    awareness.setLocalState(awareness.getLocalState())
  }

  /** Returns an update that removes the user's state elsewhere and keeps it here. */
  farewell(): Uint8Array {
    const { awareness } = this.#settings
    return encodeAwarenessUpdate(awareness, [awareness.clientID], new Map())
  }

  receive(update: Uint8Array): void {
    applyAwarenessUpdate(this.#settings.awareness, update, this)
  }

  /** Stops to send the user's state, and removes the states of the others, because nothing reports their changes any more. */
  stop(): void {
    const { awareness } = this.#settings
    this.#isActive = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    const others = [...awareness.meta.keys()].filter((id) => id !== awareness.clientID)
    removeAwarenessStates(awareness, others, this)
    // Without this, a state that comes back unchanged would be taken for one that is known.
    for (const id of others) awareness.meta.delete(id)
  }

  close(): void {
    this.stop()
    this.#settings.awareness.off("update", this.#onUpdate)
  }

  get #waitMs(): number {
    return this.#sentAt + this.#settings.intervalMs - performance.now()
  }

  readonly #onUpdate = (_changes: unknown, origin: unknown): void => {
    if (origin !== "local") return
    this.#hasChanged = true
    this.#schedule()
  }

  #schedule(): void {
    if (!this.#isActive) return
    if (this.isDue) this.#settings.onDue()
    else this.#timer ??= setTimeout(this.#onTime, Math.ceil(this.#waitMs))
  }

  readonly #onTime = (): void => {
    this.#timer = undefined
    if (this.#hasChanged) this.#schedule()
  }
}
