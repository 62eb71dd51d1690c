import type { Outlet } from "../../../ports/http.ts"
import type { LiveEvents } from "../../../wire/realtime/live-events.ts"
import { type Snapshot, snapshotEvent } from "../queries/snapshot.ts"

/** A snapshot for one topic of a stream. */
interface TopicSnapshot {
  readonly topicId: string
  readonly seq: number
  readonly snapshot: Snapshot
}

interface EventsPlace {
  readonly outlet: Outlet
  /** The topic can be sent its newest snapshot: `show` or `settle` follows, now or later. */
  sendNewest(topicId: string): void
  /** Counts a snapshot that the client has not taken yet; returns how that ends. */
  hold(snapshot: Snapshot): () => void
}

// So long a client may take to hear the last of it, which nobody else can end: its stream is not counted any more.
const LEAVING_MS = 5_000

const END = "}\n\n"

/**
 * What one client is told. While it does not take what it was sent, no other snapshot is kept for it: the topics that have
 * something new wait, and are asked for their newest snapshot one after another when there is room.
 */
export class OutgoingEvents {
  readonly #place: EventsPlace
  readonly #outlet: Outlet
  /** The topics that have something new, in the order in which they came. */
  readonly #waiting = new Set<string>()
  /** The one whose turn it is. */
  #asked: string | undefined
  #release: (() => void) | undefined
  /** Who is in a channel, by its id. */
  readonly #waitingMembers = new Map<string, string>()
  #isBlocked = false
  /** Since when the client has not taken anything, by `performance.now()`. */
  #blockedAt: number | undefined

  constructor(place: EventsPlace) {
    this.#place = place
    this.#outlet = place.outlet
  }

  get isBlocked(): boolean {
    return this.#isBlocked
  }

  get blockedAt(): number | undefined {
    return this.#blockedAt
  }

  /** Says something short, whether the client is slow or not. */
  say<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void {
    this.#note(this.#outlet.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
  }

  /** Hands on an event of a channel, whose text all share but for its beginning. */
  pass(channelId: string, text: string): void {
    this.#note(this.#outlet.write(`event: channel\ndata: {"channelId":${JSON.stringify(channelId)},`, text))
  }

  /** A sign of life, which a client that is still being sent something does not need. */
  ping(text: string): void {
    if (!this.#isBlocked) this.#note(this.#outlet.write(text))
  }

  /** Whether a snapshot of the topic can be sent now. Topics that wait have precedence. */
  isReadyFor(topicId: string): boolean {
    if (this.#isBlocked) return false
    return this.#asked === undefined ? this.#waiting.size === 0 : this.#asked === topicId
  }

  /** The topic has something new, which is asked for when there is room. */
  postpone(topicId: string): void {
    if (this.#asked === topicId) this.#asked = undefined
    this.#waiting.add(topicId)
    this.#askNext()
  }

  /** The topic has nothing to send for now. */
  settle(topicId: string): void {
    this.#waiting.delete(topicId)
    if (this.#asked !== topicId) return
    this.#asked = undefined
    this.#askNext()
  }

  show({ topicId, seq, snapshot }: TopicSnapshot): void {
    const hasRoom = this.#outlet.write(...snapshotEvent(snapshot, topicId, seq))
    if (!hasRoom && !this.#isBlocked) this.#release = this.#place.hold(snapshot)
    this.#note(hasRoom)
    this.settle(topicId)
  }

  /** Says who is in a channel; to a slow client only how it is in the end. */
  showMembers(channelId: string, members: string): void {
    this.#waitingMembers.set(channelId, members)
    if (!this.#isBlocked) this.#sendMembers()
  }

  /** The topic has ended: nothing that waits for it is sent. */
  forget(topicId: string): void {
    this.settle(topicId)
    this.#waitingMembers.delete(topicId)
  }

  /** The client has taken all that it was sent. */
  drained(): void {
    this.#isBlocked = false
    this.#blockedAt = undefined
    this.#letGo()
    this.#sendMembers()
    this.#askNext()
  }

  end(): void {
    this.#letGo()
    this.#outlet.end()
    setTimeout(() => this.#outlet.destroy(), LEAVING_MS).unref()
  }

  destroy(): void {
    this.#letGo()
    this.#outlet.destroy()
  }

  #letGo(): void {
    this.#release?.()
    this.#release = undefined
  }

  // One at a time: what would have to wait again is not read from the database before there is room for it.
  #askNext(): void {
    if (this.#isBlocked || this.#asked !== undefined) return
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    this.#asked = next
    this.#place.sendNewest(next)
  }

  #sendMembers(): void {
    for (const [channelId, members] of this.#waitingMembers) {
      if (this.#isBlocked) return
      this.#waitingMembers.delete(channelId)
      const head = `event: presence\ndata: {"channelId":${JSON.stringify(channelId)},"members":`
      this.#note(this.#outlet.write(head, members, END))
    }
  }

  #note(hasRoom: boolean): void {
    if (hasRoom || this.#isBlocked) return
    this.#isBlocked = true
    this.#blockedAt = performance.now()
  }
}
