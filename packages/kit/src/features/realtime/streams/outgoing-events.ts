import type { Outlet } from "../../../ports/http.ts"
import type { LiveEvents } from "../../../wire/realtime/live-events.ts"
import { type Snapshot, snapshotEvent } from "../queries/snapshot.ts"

/** A snapshot to be sent for one topic of the stream. */
interface TopicSnapshot {
  readonly topicId: string
  readonly seq: number
  readonly snapshot: Snapshot
}

interface EventsDependencies {
  readonly outlet: Outlet
  /**
   * Requests the newest snapshot of the topic. The topic then calls `sendSnapshot`, `settle` or `postpone`, now or
   * later.
   */
  sendNewest(topicId: string): void
  /** Counts a snapshot as unread by the client; returns a function that ends the counting. */
  hold(snapshot: Snapshot): () => void
}

// The time that a client has to read the last events of an ended stream. The ended stream is no longer counted, so
// nothing else would close its connection.
const LEAVING_MS = 5_000

const END = "}\n\n"

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
  /** The room member lists that wait to be sent, by channel id. */
  readonly #waitingMembers = new Map<string, string>()
  #isBlocked = false
  /** The time since which the client has not read anything, as measured by `performance.now()`. */
  #blockedAt: number | undefined

  constructor(place: EventsDependencies) {
    this.#dependencies = place
    this.#outlet = place.outlet
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

  /** Sends an event of a channel. All subscribers share the event's text; only the beginning differs between them. */
  sendChannelEvent(channelId: string, text: string): void {
    this.#updateBlocked(this.#outlet.write(`event: channel\ndata: {"channelId":${JSON.stringify(channelId)},`, text))
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

  sendSnapshot({ topicId, seq, snapshot }: TopicSnapshot): void {
    const hasRoom = this.#outlet.write(...snapshotEvent(snapshot, topicId, seq))
    if (!hasRoom && !this.#isBlocked) this.#release = this.#dependencies.hold(snapshot)
    this.#updateBlocked(hasRoom)
    this.settle(topicId)
  }

  /** Sends the member list of a room. A slow client gets only the latest list. */
  queueMembers(channelId: string, members: string): void {
    this.#waitingMembers.set(channelId, members)
    if (!this.#isBlocked) this.#sendMembers()
  }

  /** Called when the topic has ended. Drops everything that waits to be sent for the topic. */
  forget(topicId: string): void {
    this.settle(topicId)
    this.#waitingMembers.delete(topicId)
  }

  /**
   * Called when the client has read everything that was sent to it. Sends the member lists and snapshots that waited.
   */
  drained(): void {
    this.#isBlocked = false
    this.#blockedAt = undefined
    this.#releaseSnapshot()
    this.#sendMembers()
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
    this.#dependencies.sendNewest(next)
  }

  #sendMembers(): void {
    for (const [channelId, members] of this.#waitingMembers) {
      if (this.#isBlocked) return
      this.#waitingMembers.delete(channelId)
      const head = `event: presence\ndata: {"channelId":${JSON.stringify(channelId)},"members":`
      this.#updateBlocked(this.#outlet.write(head, members, END))
    }
  }

  #updateBlocked(hasRoom: boolean): void {
    if (hasRoom || this.#isBlocked) return
    this.#isBlocked = true
    this.#blockedAt = performance.now()
  }
}
