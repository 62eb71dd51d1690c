import type { TopicConfig, WireTopic } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import { SubscribedTopic } from "./subscribed-topic.ts"
import type { Subscription } from "./subscription.ts"

/** A live query on the stream, and its subscribers. */
export class LiveTopic extends SubscribedTopic {
  readonly #config: TopicConfig
  #newest: { readonly data: unknown; readonly hash: string } | undefined
  /** The stream of the last event, and the event's sequence number on it. */
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

  /** A later subscriber gets the newest snapshot immediately. */
  override add(subscription: Subscription): void {
    super.add(subscription)
    if (this.#newest) callSafely(subscription.onSnapshot, this.#newest.data)
  }

  /** Returns true, and remembers the event, if it is newer than all earlier ones of its stream. */
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
