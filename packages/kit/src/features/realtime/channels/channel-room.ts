import { setImmediate as breathe } from "node:timers/promises"
import { type ChannelEvent, type ChannelPage, EVENTS_AT_ONCE } from "../../../sql/internal/channel-events.ts"
import type { Turns } from "../topics/turns.ts"

/** A subscriber of a room. */
export interface RoomListener {
  readonly hasRuleFunction: boolean
  /** Evaluates the rules again if their last result is too old, and leaves the room if they deny. */
  renew(): Promise<void>
  /** Receives published events, in order. The subscriber may already have some of them. */
  receive(events: readonly ChannelEvent[]): void
  /** Events were published that are not passed to the subscriber: it reads them itself. */
  fallBehind(): void
}

export interface RoomDependencies {
  readonly turns: Turns
  read(position: number | undefined): Promise<ChannelPage>
  onError(error: unknown): void
}

const SUBSCRIBERS_PER_SLICE = 200
const RENEWED_AT_ONCE = 50
const RETRY_MS = 1_000

/** All subscribers of one room in this process. Published events are read once and passed to all of them. */
export class ChannelRoom {
  readonly #dependencies: RoomDependencies
  readonly #listeners = new Set<RoomListener>()
  #position: number | undefined
  #isStale = false
  #isReading = false
  #retry: NodeJS.Timeout | undefined

  constructor(parts: RoomDependencies) {
    this.#dependencies = parts
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  add(listener: RoomListener): void {
    this.#listeners.add(listener)
  }

  remove(listener: RoomListener): void {
    this.#listeners.delete(listener)
    if (this.isEmpty) clearTimeout(this.#retry)
  }

  /** Reads the events that have been published since the last read. */
  refresh(): void {
    this.#isStale = true
    if (!this.#isReading) void this.#readUntilCurrent()
  }

  async #readUntilCurrent(): Promise<void> {
    this.#isReading = true
    while (this.#isStale && !this.isEmpty) {
      this.#isStale = false
      await this.#readOnce().catch((error) => this.#readLater(error))
    }
    this.#isReading = false
  }

  #readLater(error: unknown): void {
    this.#dependencies.onError(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.refresh(), RETRY_MS).unref()
  }

  async #readOnce(): Promise<void> {
    await this.#renewAll()
    const { hasGap, last, events } = await this.#dependencies.turns.run(() => this.#dependencies.read(this.#position))
    const isKnown = this.#position !== undefined && !hasGap
    this.#position = isKnown ? (events.at(-1)?.id ?? this.#position) : last
    if (!isKnown) return this.#leaveToAll()
    if (events.length === EVENTS_AT_ONCE) this.#isStale = true
    await this.#sendToAll(events)
  }

  // Yields to the event loop after each batch of subscribers.
  async #sendToAll(events: readonly ChannelEvent[]): Promise<void> {
    let sent = 0
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue
      listener.receive(events)
      sent++
      if (sent % SUBSCRIBERS_PER_SLICE === 0) await breathe()
    }
  }

  async #renewAll(): Promise<void> {
    const judged = [...this.#listeners].filter(({ hasRuleFunction }) => hasRuleFunction)
    for (let start = 0; start < judged.length; start += RENEWED_AT_ONCE) {
      await Promise.all(judged.slice(start, start + RENEWED_AT_ONCE).map((listener) => listener.renew()))
      if (start + RENEWED_AT_ONCE < judged.length) await breathe()
    }
  }

  #leaveToAll(): void {
    for (const listener of [...this.#listeners]) listener.fallBehind()
  }
}
