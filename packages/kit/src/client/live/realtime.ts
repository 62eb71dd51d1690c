import { decodeAnswer } from "../../wire/codecs/extended-json-answer.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { CHANNELS_PATH, segment } from "../../wire/paths/paths.ts"
import type {
  RealtimeApi,
  Snapshots,
  StreamArguments,
  SubscribeArguments,
} from "../../wire/realtime/live-operations.ts"
import { type AnyTopic, SESSION_TOPIC } from "../../wire/realtime/topic.ts"
import { CLIENT_PARTS, type ClientParts, type TopicOf } from "../client-parts.ts"
import type { CurrentUser } from "../current-user.ts"
import { withOperationFacts } from "../operation-facts.ts"
import { bodyOf, queryOf } from "../resources/query.ts"
import { QuestpieClientError } from "../transport/client-error.ts"
import { refuseUnknown } from "../transport/refuse-unknown.ts"
import { bodyText, type Transport } from "../transport/transport.ts"
import type { Multiplexer } from "./multiplexer.ts"
import type { Subscribe, Subscription } from "./subscription.ts"
import { topicOptions } from "./topic-options.ts"
import type { WatchedTopic } from "./watched-topic.ts"

/** The live operations without types. The `Client` interface adds the types. */
interface LiveOperations {
  /**
   * Subscribes to a live query or a channel. Calls back with the current result and after each change, or with each
   * event. Returns a function that ends the subscription.
   */
  live(options: object | undefined, onSnapshot: (given: unknown) => void, settings?: SubscriptionSettings): () => void
  /** Like `live`, but returns an iterator over the snapshots or events. */
  liveIter(options?: object, settings?: SubscriptionSettings): Snapshots<unknown>
}

export type SubscriptionSettings = Omit<Subscription, "topic" | "onSnapshot">

export type Iterate = (followed: Subscription) => Snapshots<unknown>

type LiveOf = (resourceType: AnyTopic["resourceType"], resource: string) => LiveOperations

interface Realtime {
  readonly realtime: Omit<RealtimeApi, "subscribe" | "stream"> & {
    subscribe(...args: SubscribeArguments): () => void
    stream(...args: StreamArguments): Snapshots<unknown>
  }
  /** Returns the live operations of a resource or a channel. */
  readonly liveOf: LiveOf
  readonly follow: Subscribe
  readonly iterate: Iterate
  readonly topicOf: TopicOf
  readonly renewStream: ClientParts["renewStream"]
}

/** The delay after the code for streams could not be loaded. It doubles with each attempt, up to the second value. */
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

/** The members of a subscription. A caller gives some of them as settings. */
const SUBSCRIPTION_MEMBERS: readonly (keyof Subscription)[] = [
  "signal",
  "onError",
  "onGap",
  "lastEventId",
  "onCurrent",
  "onLost",
  "onRequest",
  "onApplied",
  "onEnd",
  "known",
  "topic",
  "document",
  "onSnapshot",
]

/**
 * Returns the live operations of a client. This module only collects subscriptions; the code for streams is loaded with
 * the first subscription.
 */
export function realtimeOf(transport: Transport, user: CurrentUser): Realtime {
  const subscriptions = new Set<Subscription>()
  let multiplexer: Multiplexer | undefined
  const load = async () => {
    const live = await import("./multiplexer.ts")
    multiplexer ??= new live.Multiplexer({ transport, user, decodeAnswer, QuestpieClientError }, subscriptions)
    return multiplexer
  }
  // The import fails without a connection, so it is repeated like a request for a stream. Some browsers remember a failed
  // import until the page is loaded again.
  const start = (subscription: Subscription, waitMs = FIRST_RETRY_MS): void => {
    const retry = (error: Error) => {
      if (subscription.signal?.aborted) subscriptions.delete(subscription)
      if (!subscriptions.has(subscription)) return
      setTimeout(start, waitMs, subscription, Math.min(waitMs * 2, LAST_RETRY_MS))
      subscription.onError?.(error)
    }
    load().then((loaded) => loaded.add(subscription), retry)
  }
  const follow = (subscription: Subscription) => {
    refuseUnknown(subscription, SUBSCRIPTION_MEMBERS)
    const end = () => {
      subscriptions.delete(subscription)
      multiplexer?.remove(subscription)
    }
    subscriptions.add(subscription)
    start(subscription)
    return end
  }
  async function* iterate(followed: Subscription): Snapshots<unknown> {
    yield* (await load()).snapshots(followed, follow)
  }
  const liveOf: LiveOf = (resourceType, resource) => {
    // Only `watch` has the options of `read`.
    const topic = (options?: object) =>
      topicText(transport, { ...topicOptions(resourceType, options), resourceType, resource })
    return {
      live: (options, onSnapshot, settings) =>
        follow({ ...settings, onSnapshot: withoutHash(onSnapshot), topic: topic(options) }),
      liveIter: (options, settings) => iterate({ ...settings, topic: topic(options) }),
    }
  }
  const topicOf: TopicOf = ({ kind, resource, id }, options = {}) =>
    kind === "session" ? SESSION_TOPIC : watchedText(transport, { kind, resource, id, options })
  const realtime: Realtime["realtime"] = {
    get subscriberCount() {
      return subscriptions.size
    },
    get topicCount() {
      return new Set(Array.from(subscriptions, ({ topic }) => topic)).size
    },
    subscribe: (...[topic, onSnapshot, signal, id, onError]) =>
      follow({ signal, onError, onSnapshot: withoutHash(onSnapshot), topic: topicText(transport, topic, id) }),
    stream: (topic, signal, id) => iterate({ signal, topic: topicText(transport, topic, id) }),
    destroy: () => {
      subscriptions.clear()
      multiplexer?.destroy()
    },
  }
  const renewStream: Realtime["renewStream"] = async (work) => {
    multiplexer?.suspend()
    try {
      return await work()
    } finally {
      multiplexer?.reopen()
    }
  }
  return { realtime, liveOf, follow, iterate, topicOf, renewStream }
}

// Returns a subscription's topic as a JSON string. The options and the locale are fixed here, so later changes to them
// have no effect.
function topicText(transport: Transport, { resourceType, resource, read, ...options }: AnyTopic, id?: string): string {
  const { locale = transport.locale, ...carried } = topicOptions(resourceType, options)
  const whole = { ...carried, resourceType, resource, read, id, locale }
  // `queryOf` is called only because it throws on invalid options, with the same errors as `find`.
  queryOf(whole)
  return bodyText(bodyOf(whole))
}

// Returns the topic of a handle as a JSON string. The code that is loaded with the first subscription makes a live query
// of it.
function watchedText(transport: Transport, { options, ...handle }: WatchedTopic): string {
  const { locale = transport.locale, ...rest }: { locale?: string } = options
  queryOf(rest)
  return bodyText(bodyOf({ ...handle, locale, options: rest }))
}

/**
 * Returns a callback that passes on the snapshot alone. Only the bindings also use its hash; a caller's function may
 * have a second parameter of its own.
 */
export function withoutHash(onSnapshot: (snapshot: unknown) => void): (snapshot: unknown) => void {
  return (snapshot) => onSnapshot(snapshot)
}

interface ChannelOperations {
  subscribe(params: unknown, onEvent: (event: unknown) => void, settings?: SubscriptionSettings): () => void
  iter(params: unknown, settings?: SubscriptionSettings): Snapshots<unknown>
  presence(params: unknown, onMembers: (members: unknown) => void, settings?: SubscriptionSettings): () => void
  publish(message: object, options?: CallOptions): Promise<unknown>
  findEvents(options: object, call?: CallOptions): Promise<unknown>
}

/** Returns the operations of the channels that one file declares. */
export function channelOperations(
  { live, liveIter }: LiveOperations,
  parts: ClientParts,
  channel: string,
): ChannelOperations {
  const findEvents: ChannelOperations["findEvents"] = async (range, options) => {
    const path = `${CHANNELS_PATH}${segment(channel)}/events${queryOf(range)}`
    return await parts.transport.send({ method: "GET", path, options })
  }
  const operations: ChannelOperations = {
    subscribe: (params, onEvent, settings) => live({ params }, onEvent, settings),
    iter: (params, settings) => liveIter({ params }, settings),
    presence: (params, onMembers, settings) => live({ params, presence: true }, onMembers, settings),
    publish: async (message, options) => {
      refuseUnknown(message, ["params", "event", "data"])
      return await parts.transport.send({
        ...{ method: "POST", path: "/channels/publish", body: { ...message, channel }, options },
      })
    },
    ...withOperationFacts({ findEvents }, `channel ${channel}`, parts),
  }
  // The parts are not enumerable, so that printing a channel does not print them.
  return Object.defineProperty(operations, CLIENT_PARTS, { value: parts })
}
