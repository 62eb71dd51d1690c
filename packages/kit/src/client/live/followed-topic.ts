import type { WireChannel, WireTopic } from "../../wire/realtime/topic.ts"
import type { Subscription } from "./subscription.ts"
import { tell } from "./tell.ts"

/** A topic or a channel of the stream, and all who follow it. */
export abstract class FollowedTopic {
  readonly id: string
  readonly key: string
  readonly #subscriptions = new Set<Subscription>()

  constructor(id: string, key: string) {
    this.id = id
    this.key = key
  }

  /** As it is asked for; what is here already need not be sent again. */
  abstract get wire(): WireTopic | WireChannel

  get isFollowed(): boolean {
    return this.#subscriptions.size > 0
  }

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription)
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription)
  }

  fail(error: Error, isFinal: boolean): void {
    for (const { onError } of this) tell(onError, error, isFinal)
  }

  /** Those who still follow it when their turn comes: one of those before may have ended it. */
  *[Symbol.iterator](): Generator<Subscription, void, undefined> {
    for (const subscription of [...this.#subscriptions]) if (this.#subscriptions.has(subscription)) yield subscription
  }
}
