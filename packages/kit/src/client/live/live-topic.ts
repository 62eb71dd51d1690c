import type { TopicConfig, WireTopic } from "../../wire/realtime/topic.ts"
import { FollowedTopic } from "./followed-topic.ts"
import type { Subscription } from "./subscription.ts"
import { tell } from "./tell.ts"

/** A live query of the stream, and all who follow it. */
export class LiveTopic extends FollowedTopic {
  readonly #config: TopicConfig
  #newest: { readonly data: unknown; readonly hash: string } | undefined
  /** The stream that the last event came from, and its number there. */
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

  /** Who comes late has the newest snapshot at once. */
  override add(subscription: Subscription): void {
    super.add(subscription)
    if (this.#newest) tell(subscription.onSnapshot, this.#newest.data)
  }

  /** Whether the event is newer than those before it on its stream. */
  isNews(stream: object, seq: number): boolean {
    const isNews = stream !== this.#stream || seq > this.#seq
    if (isNews) this.#stream = stream
    if (isNews) this.#seq = seq
    return isNews
  }

  deliver(hash: string, data: unknown): void {
    this.#newest = { data, hash }
    for (const { onSnapshot } of this) tell(onSnapshot, data)
  }
}
