import type { WireChannel, WireTopic } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import type { Subscription } from "./subscription.ts"

/** A live query or a channel on the stream, and its subscribers. */
export abstract class SubscribedTopic {
  readonly id: string
  readonly key: string
  readonly #subscriptions = new Set<Subscription>()

  constructor(id: string, key: string) {
    this.id = id
    this.key = key
  }

  /**
   * The topic as it is sent to the server. It includes the topic's position, so that the server does not send known
   * data again.
   */
  abstract get wire(): WireTopic | WireChannel

  get hasSubscribers(): boolean {
    return this.#subscriptions.size > 0
  }

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription)
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription)
  }

  fail(error: Error, isFinal: boolean): void {
    for (const { onError } of this) callSafely(onError, error, isFinal)
  }

  /**
   * Iterates over a copy of the subscriptions, and skips a subscription that the callback of an earlier one has ended.
   */
  *[Symbol.iterator](): Generator<Subscription, void, undefined> {
    for (const subscription of [...this.#subscriptions]) if (this.#subscriptions.has(subscription)) yield subscription
  }
}
