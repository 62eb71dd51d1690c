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

  constructor(id: string, key: string, config: TopicConfig) {
    super(id, key)
    this.#config = config
  }

  override get wire(): WireTopic {
    const lastHash = this.#newest && { lastHash: this.#newest.hash }
    return { id: this.id, ...this.#config, ...lastHash }
  }

  /** Adds a subscriber. A subscriber that joins later gets the newest snapshot immediately. */
  override add(subscription: Subscription): void {
    super.add(subscription)
    if (this.#newest) callSafely(subscription.onSnapshot, this.#newest.data)
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
  }
}
