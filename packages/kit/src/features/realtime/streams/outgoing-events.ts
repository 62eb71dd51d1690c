import type { Outlet } from "../../../ports/http.ts"
import type { LiveEvents } from "../../../wire/realtime/live-events.ts"
import { type Snapshot, snapshotEvent } from "../queries/snapshot.ts"

/** A snapshot for one topic of a stream. */
interface TopicSnapshot {
  readonly topicId: string
  readonly seq: number
  readonly snapshot: Snapshot
}

interface EventsDependencies {
  readonly outlet: Outlet
  /** Requests the newest snapshot of the topic: a call of `show` or `settle` follows, now or later. */
  sendNewest(topicId: string): void
  /** Counts a snapshot that the client has not read yet; returns a function that ends this. */
  hold(snapshot: Snapshot): () => void
}

// A client has this long to read the last events of an ended stream. The stream is no longer counted, so nothing else
// would close it.
const LEAVING_MS = 5_000

const END = "}\n\n"

/**
 * The events that are sent to one client. While the client does not read, no further snapshot is kept for it: topics
 * with something new wait, and their newest snapshots are requested one after another when there is room.
 */
export class OutgoingEvents {
  readonly #dependencies: EventsDependencies
  readonly #outlet: Outlet
  /** The topics with something new, in order of arrival. */
  readonly #waiting = new Set<string>()
  /** The topic whose newest snapshot has been requested. */
  #requested: string | undefined
  #release: (() => void) | undefined
  /** The member lists that wait to be sent, by channel id. */
  readonly #waitingMembers = new Map<string, string>()
  #isBlocked = false
  /** The time since which the client has not read anything, by `performance.now()`. */
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

  /** Sends a short event, even to a slow client. */
  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void {
    this.#updateBlocked(this.#outlet.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
  }

  /** Sends an event of a channel. All subscribers share its text; only the beginning differs. */
  sendChannelEvent(channelId: string, text: string): void {
    this.#updateBlocked(this.#outlet.write(`event: channel\ndata: {"channelId":${JSON.stringify(channelId)},`, text))
  }

  /** Sends a keep-alive, which a client with unread data does not need. */
  ping(text: string): void {
    if (!this.#isBlocked) this.#updateBlocked(this.#outlet.write(text))
  }

  /** True if a snapshot of the topic can be sent now. Topics that wait have precedence. */
  isReadyFor(topicId: string): boolean {
    if (this.#isBlocked) return false
    return this.#requested === undefined ? this.#waiting.size === 0 : this.#requested === topicId
  }

  /** The topic has something new, which is requested when there is room. */
  postpone(topicId: string): void {
    if (this.#requested === topicId) this.#requested = undefined
    this.#waiting.add(topicId)
    this.#requestNext()
  }

  /** The topic has nothing to send for now. */
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

  /** Sends the members of a room; a slow client gets only the latest list. */
  queueMembers(channelId: string, members: string): void {
    this.#waitingMembers.set(channelId, members)
    if (!this.#isBlocked) this.#sendMembers()
  }

  /** The topic has ended: drops everything that waits to be sent for it. */
  forget(topicId: string): void {
    this.settle(topicId)
    this.#waitingMembers.delete(topicId)
  }

  /** The client has read everything that it was sent. */
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

  // Requests one topic at a time: a snapshot that would have to wait is not read from the database before there is room
  // for it.
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
