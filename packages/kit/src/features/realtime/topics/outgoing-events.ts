import type { Outlet } from "../../../ports/http.ts"
import type { LiveEvents } from "../../../wire/realtime/live-events.ts"

/** A snapshot to be sent for one topic of the stream. */
export interface TopicSnapshot {
  readonly topicId: string
  /** The parts of the event, in order. */
  readonly parts: readonly (string | Buffer)[]
  /** The bytes of the snapshot. All topics that are sent the same snapshot share this buffer. */
  readonly data: Buffer
}

interface EventsDependencies {
  readonly outlet: Outlet
  /**
   * Requests the newest snapshot of the topic. The topic then calls `sendSnapshot`, `settle` or `postpone`, now or
   * later.
   */
  requestSnapshot(topicId: string): void
  /** Counts the bytes of a snapshot as unread by the client; returns a function that ends the counting. */
  hold(data: Buffer): () => void
}

// The time that a client has to read the last events of an ended stream. The ended stream is no longer counted, so
// nothing else would close its connection.
const LEAVING_MS = 5_000

/**
 * Sends events to one client. While the client does not read, no further snapshots are kept for it. Topics with a new
 * result wait, and their newest snapshots are requested one after another when the client reads again.
 */
export class OutgoingEvents {
  readonly #dependencies: EventsDependencies
  readonly #outlet: Outlet
  /** The ids of the topics that have a new snapshot to send, in order of arrival. */
  readonly #waiting = new Set<string>()
  /** The id of the topic whose newest snapshot has been requested. */
  #requested: string | undefined
  #release: (() => void) | undefined
  /** The events that wait to be sent because the client is slow, by topic id; see `sendLatest`. */
  readonly #latest = new Map<string, readonly string[]>()
  #isBlocked = false
  /** The time since which the client has not read anything, as measured by `performance.now()`. */
  #blockedAt: number | undefined

  constructor(dependencies: EventsDependencies) {
    this.#dependencies = dependencies
    this.#outlet = dependencies.outlet
  }

  get isBlocked(): boolean {
    return this.#isBlocked
  }

  get blockedAt(): number | undefined {
    return this.#blockedAt
  }

  /** Sends a short event, even if the client has not read the earlier ones. */
  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void {
    this.#updateBlocked(this.#outlet.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
  }

  /** Sends an event that the topic has serialized, even if the client has not read the earlier ones. */
  sendText(...parts: readonly string[]): void {
    this.#updateBlocked(this.#outlet.write(...parts))
  }

  /** Sends an event that replaces the earlier ones of its topic. A slow client gets only the latest of them. */
  sendLatest(topicId: string, ...parts: readonly string[]): void {
    this.#latest.set(topicId, parts)
    if (!this.#isBlocked) this.#sendWaitingLatest()
  }

  /** Sends a keep-alive event, unless the client still has unread data. */
  ping(text: string): void {
    if (!this.#isBlocked) this.#updateBlocked(this.#outlet.write(text))
  }

  /** True if a snapshot of this topic can be sent now. Topics that already wait have precedence. */
  isReadyFor(topicId: string): boolean {
    if (this.#isBlocked) return false
    return this.#requested === undefined ? this.#waiting.size === 0 : this.#requested === topicId
  }

  /** True if the topic has a snapshot to send that the client could not take yet. */
  isPostponed(topicId: string): boolean {
    return this.#waiting.has(topicId) || this.#requested === topicId
  }

  /** Called when the topic has a new snapshot that cannot be sent yet. It is requested when the client reads again. */
  postpone(topicId: string): void {
    if (this.#requested === topicId) this.#requested = undefined
    this.#waiting.add(topicId)
    this.#requestNext()
  }

  /** Called when the topic has nothing to send for now. The next waiting topic can send. */
  settle(topicId: string): void {
    this.#waiting.delete(topicId)
    if (this.#requested !== topicId) return
    this.#requested = undefined
    this.#requestNext()
  }

  sendSnapshot({ topicId, parts, data }: TopicSnapshot): void {
    const hasRoom = this.#outlet.write(...parts)
    if (!hasRoom && !this.#isBlocked) this.#release = this.#dependencies.hold(data)
    this.#updateBlocked(hasRoom)
    this.settle(topicId)
  }

  /** Called when the topic has ended. Drops everything that waits to be sent for the topic. */
  forget(topicId: string): void {
    this.settle(topicId)
    this.#latest.delete(topicId)
  }

  /** Called when the client has read everything that was sent to it. Sends the events and snapshots that waited. */
  drained(): void {
    this.#isBlocked = false
    this.#blockedAt = undefined
    this.#releaseSnapshot()
    this.#sendWaitingLatest()
    this.#requestNext()
  }

  end(): void {
    this.#releaseSnapshot()
    this.#outlet.end()
    setTimeout(() => this.#outlet.destroy(), LEAVING_MS).unref()
  }

  destroy(): void {
    this.#releaseSnapshot()
    this.#outlet.destroy()
  }

  #releaseSnapshot(): void {
    this.#release?.()
    this.#release = undefined
  }

  // Requests the snapshot of the next waiting topic. Only one snapshot is requested at a time, so that none is read
  // from the database before it can be sent.
  #requestNext(): void {
    if (this.#isBlocked || this.#requested !== undefined) return
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    this.#requested = next
    this.#dependencies.requestSnapshot(next)
  }

  #sendWaitingLatest(): void {
    for (const [topicId, parts] of this.#latest) {
      if (this.#isBlocked) return
      this.#latest.delete(topicId)
      this.sendText(...parts)
    }
  }

  #updateBlocked(hasRoom: boolean): void {
    if (hasRoom || this.#isBlocked) return
    this.#isBlocked = true
    this.#blockedAt = performance.now()
  }
}
