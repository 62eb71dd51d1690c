import type { TopicConfig, WireTopic } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import { SubscribedTopic } from "./subscribed-topic.ts"
import type { Subscription } from "./subscription.ts"

type KnownResult = NonNullable<Subscription["known"]>

/** A live query on the stream, and its subscribers. */
export class LiveTopic extends SubscribedTopic {
  override readonly member = "topics"
  readonly #config: TopicConfig
  #newest: KnownResult | undefined
  /** A result that a subscriber had before the first event of the topic. */
  #known: KnownResult | undefined
  /** The stream on which the last event arrived, and that event's sequence number. */
  #stream: object | undefined
  #seq = 0

  constructor(id: string, key: string, config: TopicConfig) {
    super(id, key)
    this.#config = config
  }

  override get wire(): WireTopic {
    const { hash } = this.#newest ?? this.#known ?? {}
    return { id: this.id, ...this.#config, ...(hash !== undefined && { lastHash: hash }) }
  }

  /** Adds a subscriber. A subscriber that joins later gets the newest snapshot immediately. */
  override add(subscription: Subscription): void {
    super.add(subscription)
    this.#known ??= subscription.known
    if (this.#newest) callSafely(subscription.onSnapshot, this.#newest.data, this.#newest.hash)
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
    this.#newest = { data: this.#config.read?.operation === "count" ? countIn(data) : data, hash }
    for (const { onSnapshot } of this) callSafely(onSnapshot, this.#newest.data, hash)
  }

  /**
   * Called when the server has confirmed the result whose hash it was sent. If no snapshot has arrived yet, it is a
   * result that a subscriber knew, and the other subscribers get it now.
   */
  confirm(): void {
    const first = this.#newest ? undefined : this.#known
    this.#newest ??= this.#known
    if (!first) return
    for (const { known, onSnapshot } of this)
      if (known?.hash !== first.hash) callSafely(onSnapshot, first.data, first.hash)
  }
}

// The result of a count is sent as an object, and passed on as a number.
function countIn(data: unknown): unknown {
  return Reflect.get(Object(data), "count")
}
