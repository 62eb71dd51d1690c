import { setImmediate as breathe } from "node:timers/promises"
import { type ChannelEvent, type ChannelPage, MAX_EVENTS_PER_READ } from "../../../sql/internal/channel-events.ts"
import type { LiveEngine } from "../live-engine.ts"

/** A channel topic, seen from the room that sends events to it. */
export interface RoomSubscriber {
  readonly hasRuleFunction: boolean
  /**
   * Evaluates the channel's rules again if their last result is too old, and leaves the room if the rules deny access.
   */
  renew(): Promise<void>
  /** Receives events published in the room, in order. The subscriber may already have received some of these events. */
  receive(events: readonly ChannelEvent[]): void
  /**
   * Called when events were published that the room does not pass to the subscriber. The subscriber reads them itself.
   */
  fallBehind(): void
}

interface RoomDependencies {
  readonly engine: LiveEngine
  /** Reads the room's events after this position. */
  read(position: number | undefined): Promise<ChannelPage>
}

const SUBSCRIBERS_PER_SLICE = 200
const RENEWALS_PER_BATCH = 50
const RETRY_MS = 1_000

/** All subscribers of one room in this process. Each published event is read once and passed to all of them. */
export class ChannelRoom {
  readonly #dependencies: RoomDependencies
  readonly #subscribers = new Set<RoomSubscriber>()
  #position: number | undefined
  /** The id of the newest event that the change feed has announced. */
  #announced = 0
  #isStale = false
  #isReading = false
  #retry: NodeJS.Timeout | undefined

  constructor(dependencies: RoomDependencies) {
    this.#dependencies = dependencies
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0
  }

  add(subscriber: RoomSubscriber): void {
    this.#subscribers.add(subscriber)
  }

  remove(subscriber: RoomSubscriber): void {
    this.#subscribers.delete(subscriber)
    if (this.isEmpty) clearTimeout(this.#retry)
  }

  /** Called when the change feed announces the event with this id. */
  onAnnounced(eventId: number): void {
    this.#announced = Math.max(this.#announced, eventId)
    this.refresh()
  }

  /** Reads the events that were published since the last read, and passes them to the subscribers. */
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
    this.#dependencies.engine.onError(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.refresh(), RETRY_MS).unref()
  }

  async #readOnce(): Promise<void> {
    await this.#renewAll()
    const { hasGap, last, events } = await this.#dependencies.read(this.#position)
    const isKnown = this.#position !== undefined && !hasGap
    // An event that the feed has not announced may follow a change that takes a subscriber's rights away. The room reads
    // it again when the feed has reached it.
    const announced = events.filter(({ id }) => id <= this.#announced)
    this.#position = isKnown ? (announced.at(-1)?.id ?? this.#position) : last
    if (!isKnown) return this.#letAllFallBehind()
    if (announced.length === MAX_EVENTS_PER_READ) this.#isStale = true
    await this.#sendToAll(announced)
  }

  // Passes the events to all subscribers, and yields to the event loop after each batch of subscribers.
  async #sendToAll(events: readonly ChannelEvent[]): Promise<void> {
    let sent = 0
    for (const subscriber of [...this.#subscribers]) {
      if (!this.#subscribers.has(subscriber)) continue
      subscriber.receive(events)
      sent++
      if (sent % SUBSCRIBERS_PER_SLICE === 0) await breathe()
    }
  }

  async #renewAll(): Promise<void> {
    const checked = [...this.#subscribers].filter(({ hasRuleFunction }) => hasRuleFunction)
    for (let start = 0; start < checked.length; start += RENEWALS_PER_BATCH) {
      await Promise.all(checked.slice(start, start + RENEWALS_PER_BATCH).map((subscriber) => subscriber.renew()))
      if (start + RENEWALS_PER_BATCH < checked.length) await breathe()
    }
  }

  #letAllFallBehind(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.fallBehind()
  }
}
