import type { WireChannel, WireDocument, WireSession, WireTopic } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import type { Subscription } from "./subscription.ts"

/** A topic as the request for a stream contains it. */
export interface RequestedTopic {
  readonly id: string
  /** The member of the request that lists the topics of this kind. */
  readonly member: "topics" | "channels" | "documents" | "sessions"
  /**
   * The topic as it is sent to the server. It includes the topic's position, so that the server does not send known
   * data again.
   */
  readonly wire: WireTopic | WireChannel | WireDocument | WireSession
}

/** A live query, a channel or a document on the stream, and its subscribers. */
export abstract class SubscribedTopic implements RequestedTopic {
  readonly id: string
  readonly key: string
  readonly #subscriptions = new Set<Subscription>()

  constructor(id: string, key: string) {
    this.id = id
    this.key = key
  }

  abstract readonly member: RequestedTopic["member"]

  abstract get wire(): RequestedTopic["wire"]

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
