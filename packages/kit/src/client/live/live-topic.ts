import type { TopicConfig, WireTopic } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import { SubscribedTopic } from "./subscribed-topic.ts"
import type { Subscription } from "./subscription.ts"

/** A live query on the stream, and its subscribers. */
export class LiveTopic extends SubscribedTopic {
  override readonly member = "topics"
  readonly #config: TopicConfig
  #newest: { readonly data: unknown; readonly hash: string } | undefined
  /** The stream on which the last event arrived, and that event's sequence number. */
  #stream: object | undefined
  #seq = 0
  /** True if an event of this topic has arrived on the stream that is open now. */
  #isServed = false
  /** The own writes that were announced while the topic was not served. Its next event shows them. */
  #unshownWrites: string[] = []

  constructor(id: string, key: string, config: TopicConfig) {
    super(id, key)
    this.#config = config
  }

  override get wire(): WireTopic {
    const lastHash = this.#newest && { lastHash: this.#newest.hash }
    return { id: this.id, ...this.#config, ...lastHash }
  }

  /**
   * Adds a subscriber. A subscriber that joins later gets the newest snapshot immediately, and learns if the stream of
   * that snapshot has ended.
   */
  override add(subscription: Subscription): void {
    super.add(subscription)
    if (!this.#newest) return
    callSafely(subscription.onSnapshot, this.#newest.data)
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
    this.#newest = { data, hash }
    for (const { onSnapshot } of this) callSafely(onSnapshot, data)
    this.#served()
  }

  /** Called when the server has confirmed that the newest snapshot is current. */
  confirm(): void {
    for (const { onCurrent } of this) callSafely(onCurrent)
    this.#served()
  }

  /** Called when the results that the server sends from now on, and those that it has sent, show these own writes. */
  announce(writes: readonly string[]): void {
    // The server may not know this topic yet. Then only the topic's next event shows the writes.
    if (this.#isServed) for (const { onApplied } of this) callSafely(onApplied, writes)
    else this.#unshownWrites.push(...writes)
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
