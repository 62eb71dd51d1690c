import { decodeAnswer } from "../wire/extended-json-answer.ts"
import type { LiveOperations, Snapshots, StreamArguments, SubscribeArguments } from "../wire/live-operations.ts"
import type { TopicConfig } from "../wire/topic.ts"
import { QuestpieClientError } from "./client-error.ts"
import type { Multiplexer } from "./live/multiplexer.ts"
import type { Subscription } from "./live/subscription.ts"
import { bodyOf, queryOf } from "./query.ts"
import { plainJson, type Transport } from "./transport.ts"

/** The live queries of a client. They are gathered here; what serves them is loaded with the first one. */
export class Realtime {
  readonly #transport: Transport
  readonly #subscriptions = new Set<Subscription>()
  #multiplexer: Multiplexer | undefined

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get subscriberCount(): number {
    return this.#subscriptions.size
  }

  get topicCount(): number {
    return new Set([...this.#subscriptions].map(({ topic }) => topic)).size
  }

  subscribe(...[topic, onSnapshot, signal, customId, onError]: SubscribeArguments): () => void {
    return this.#follow({ topic: this.#textOf(topic, customId), onSnapshot, signal, onError })
  }

  stream(...[topic, signal, customId]: StreamArguments): Snapshots<unknown> {
    return this.#iterate({ topic: this.#textOf(topic, customId), signal })
  }

  destroy(): void {
    this.#subscriptions.clear()
    this.#multiplexer?.destroy()
  }

  async *#iterate(followed: Pick<Subscription, "topic" | "signal">): Snapshots<unknown> {
    yield* (await this.#load()).snapshots(followed, (subscription) => this.#follow(subscription))
  }

  #follow(subscription: Subscription): () => void {
    const end = () => {
      this.#subscriptions.delete(subscription)
      this.#multiplexer?.remove(subscription)
    }
    this.#subscriptions.add(subscription)
    this.#load().then(
      (multiplexer) => multiplexer.add(subscription),
      (error) => {
        end()
        subscription.onError?.(error, true)
      },
    )
    return end
  }

  async #load(): Promise<Multiplexer> {
    const { Multiplexer } = await import("./live/multiplexer.ts")
    this.#multiplexer ??= new Multiplexer(
      { transport: this.#transport, decodeAnswer, ClientError: QuestpieClientError },
      this.#subscriptions,
    )
    return this.#multiplexer
  }

  // A topic keeps the locale of this moment, and what its options are now.
  #textOf({ locale = this.#transport.locale, ...topic }: TopicConfig, id: string | undefined): string {
    const whole = { ...topic, locale, id }
    // Refuses what a find refuses.
    queryOf(whole)
    return plainJson(bodyOf(whole), false)
  }
}

/** The live queries of one resource. */
export function liveOperations(
  realtime: Realtime,
  resourceType: TopicConfig["resourceType"],
  resource: string,
): LiveOperations {
  const topicOf = (options?: object) => ({ ...options, resourceType, resource })
  return {
    live: (options, onSnapshot, { signal, onError } = {}) =>
      realtime.subscribe(topicOf(options), onSnapshot, signal, undefined, onError),
    liveIter: (options, { signal } = {}) => realtime.stream(topicOf(options), signal),
  }
}
