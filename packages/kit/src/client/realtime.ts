import { decodeAnswer } from "../wire/extended-json-answer.ts"
import type { LiveOperations, Snapshots, StreamArguments, SubscribeArguments } from "../wire/live-operations.ts"
import type { TopicConfig } from "../wire/topic.ts"
import { QuestpieClientError } from "./client-error.ts"
import type { Multiplexer } from "./live/multiplexer.ts"
import type { Subscription } from "./live/subscription.ts"
import { bodyOf, queryOf } from "./query.ts"
import { bodyText, type Transport } from "./transport.ts"

/** What the types of a client say about each call, the caller knows. */
interface Realtime {
  readonly subscriberCount: number
  readonly topicCount: number
  subscribe(...args: SubscribeArguments): () => void
  stream(...args: StreamArguments): Snapshots<unknown>
  destroy(): void
}

/** The live queries of a client. They are gathered here; what serves them is loaded with the first one. */
export function realtimeOf(transport: Transport): Realtime {
  const subscriptions = new Set<Subscription>()
  let multiplexer: Multiplexer | undefined
  const load = async () => {
    const live = await import("./live/multiplexer.ts")
    multiplexer ??= new live.Multiplexer({ transport, decodeAnswer, QuestpieClientError }, subscriptions)
    return multiplexer
  }
  const follow = (subscription: Subscription) => {
    const end = () => {
      subscriptions.delete(subscription)
      multiplexer?.remove(subscription)
    }
    subscriptions.add(subscription)
    load().then(
      (loaded) => loaded.add(subscription),
      (error) => {
        end()
        subscription.onError?.(error)
      },
    )
    return end
  }
  async function* iterate(followed: Pick<Subscription, "topic" | "signal">): Snapshots<unknown> {
    yield* (await load()).snapshots(followed, follow)
  }
  return {
    get subscriberCount() {
      return subscriptions.size
    },
    get topicCount() {
      return new Set([...subscriptions].map(({ topic }) => topic)).size
    },
    subscribe: (...[topic, onSnapshot, signal, id, onError]) =>
      follow({ topic: textOf(transport, topic, id), onSnapshot, signal, onError }),
    stream: (topic, signal, id) => iterate({ topic: textOf(transport, topic, id), signal }),
    destroy: () => {
      subscriptions.clear()
      multiplexer?.destroy()
    },
  }
}

// A topic keeps the locale of this moment, and what its options are now.
function textOf(transport: Transport, { locale = transport.locale, ...topic }: TopicConfig, id?: string): string {
  const whole = { ...topic, locale, id }
  // Refuses what a find refuses.
  queryOf(whole)
  return bodyText(bodyOf(whole))
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
