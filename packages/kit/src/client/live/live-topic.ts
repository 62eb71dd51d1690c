import type { TopicConfig, WireSession, WireTopic } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import { type RequestedTopic, SubscribedTopic } from "./subscribed-topic.ts"
import type { Subscription } from "./subscription.ts"

type KnownResult = NonNullable<Subscription["known"]>

/** A live query on the stream, and its subscribers. */
export class LiveTopic extends SubscribedTopic {
  override readonly member: RequestedTopic["member"] = "topics"
  readonly #config: TopicConfig | undefined
  #newest: KnownResult | undefined
  /** A result that a subscriber had before the first event of the topic. */
  #known: KnownResult | undefined
  /** The stream on which the topic was requested last. */
  #requestedOn: object | undefined
  /** The stream on which the last event arrived, and that event's sequence number. */
  #stream: object | undefined
  #seq = 0
  /** True if an event of this topic has arrived on the stream that is open now. */
  #isServed = false
  /** The own writes that were announced while the topic was not served. Its next event shows them. */
  #unshownWrites: string[] = []

  constructor(id: string, key: string, config?: TopicConfig) {
    super(id, key)
    this.#config = config
  }

  override get wire(): WireTopic | WireSession {
    const { hash } = this.#newest ?? this.#known ?? {}
    return { id: this.id, ...this.#config, ...(hash !== undefined && { lastHash: hash }) }
  }

  /** Forgets the results, which another user has read. */
  forgetResults(): void {
    this.#newest = undefined
    this.#known = undefined
  }

  /**
   * Adds a subscriber. A subscriber that joins later gets the newest snapshot immediately, and learns if the stream of
   * that snapshot has ended.
   */
  override add(subscription: Subscription): void {
    super.add(subscription)
    this.#known ??= subscription.known
    if (!this.#newest) return
    callSafely(subscription.onSnapshot, this.#newest.data, this.#newest.hash)
    if (!this.#isServed) callSafely(subscription.onLost)
  }

  /**
   * True if the event is newer than all earlier events of its stream. If so, also stores the event's sequence number.
   */
  isNewer(stream: object, seq: number): boolean {
    const isNews = stream !== this.#stream || seq > this.#seq
    if (isNews) this.#stream = stream
    if (isNews) this.#seq = seq
    return isNews
  }

  deliver(hash: string, data: unknown): void {
    this.#newest = { data: this.#config?.read?.operation === "count" ? countIn(data) : data, hash }
    for (const { onSnapshot } of this) callSafely(onSnapshot, this.#newest.data, hash)
    this.#served()
  }

  /**
   * Called when the server has confirmed the result whose hash it was sent. If no snapshot has arrived yet, it is a
   * result that a subscriber knew, and the other subscribers get it now.
   */
  confirm(): void {
    const first = this.#newest ? undefined : this.#known
    this.#newest ??= this.#known
    for (const { known, onSnapshot, onCurrent } of this) {
      if (first && known?.hash !== first.hash) callSafely(onSnapshot, first.data, first.hash)
      else callSafely(onCurrent)
    }
    this.#served()
  }

  /** Called when the results that the server sends from now on, and those that it has sent, show these own writes. */
  announce(writes: readonly string[]): void {
    // The server may not know this topic yet. Then only the topic's next event shows the writes.
    if (this.#isServed) for (const { onApplied } of this) callSafely(onApplied, writes)
    else this.#unshownWrites.push(...writes)
  }

  /** Called before a request that contains the topic. A repeated request for the same stream does not count. */
  request(stream: object): void {
    if (stream === this.#requestedOn) return
    this.#requestedOn = stream
    for (const { onRequest } of this) callSafely(onRequest)
  }

  /** Called when the stream has ended. */
  lose(): void {
    if (!this.#isServed) return
    this.#isServed = false
    for (const { onLost } of this) callSafely(onLost)
  }

  #served(): void {
    this.#isServed = true
    const writes = this.#unshownWrites
    this.#unshownWrites = []
    if (writes.length > 0) this.announce(writes)
  }
}

/** The session of the client itself. It is followed like a live query, but has no options. */
export class SessionTopic extends LiveTopic {
  override readonly member = "sessions"
}

// The result of a count is sent as an object, and passed on as a number.
function countIn(data: unknown): unknown {
  return Reflect.get(Object(data), "count")
}
