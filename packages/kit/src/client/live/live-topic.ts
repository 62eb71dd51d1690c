import type { WireTopic } from "../../wire/topic.ts"
import type { Subscription } from "./subscription.ts"
import { tell } from "./tell.ts"
import type { NamedTopic } from "./topic-of.ts"

/** A topic of the stream, and all who follow it. */
export class LiveTopic {
  readonly id: string
  readonly #asked: NamedTopic
  readonly #subscriptions = new Set<Subscription>()
  #newest: { readonly data: unknown; readonly hash: string } | undefined
  /** The stream that the last event came from, and its number there. */
  #stream: object | undefined
  #seq = 0

  constructor(id: string, asked: NamedTopic) {
    this.id = id
    this.#asked = asked
  }

  get key(): string {
    return this.#asked.key
  }

  get isFollowed(): boolean {
    return this.#subscriptions.size > 0
  }

  /** As it is asked for; a snapshot that is here already need not be sent again. */
  get wire(): WireTopic {
    const lastHash = this.#newest && { lastHash: this.#newest.hash }
    return { id: this.id, ...this.#asked.config, ...lastHash }
  }

  /** Who comes late has the newest snapshot at once. */
  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription)
    if (this.#newest) tell(subscription.onSnapshot, this.#newest.data)
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription)
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
    for (const subscription of [...this.#subscriptions]) {
      // One of those before may have ended it.
      if (this.#subscriptions.has(subscription)) tell(subscription.onSnapshot, data)
    }
  }

  fail(error: Error, isFinal: boolean): void {
    for (const subscription of [...this.#subscriptions]) {
      if (this.#subscriptions.has(subscription)) tell(subscription.onError, error, isFinal)
    }
  }

  [Symbol.iterator](): Iterator<Subscription> {
    return [...this.#subscriptions].values()
  }
}
