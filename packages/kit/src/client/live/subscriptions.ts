import { EVERY_TOPIC } from "../../wire/realtime/live-events.ts"
import { callSafely } from "./call-safely.ts"
import { ChannelTopic } from "./channel-topic.ts"
import { DocumentTopic } from "./document-topic.ts"
import { LiveTopic, SessionTopic } from "./live-topic.ts"
import { type ChannelRequest, type LiveQueryRequest, parseTopic, type SessionRequest } from "./parse-topic.ts"
import type { SubscribedTopic } from "./subscribed-topic.ts"
import type { FollowedDocument, Subscription } from "./subscription.ts"

// The maximum length of a topic id that the server accepts.
const MAX_ID_CHARACTERS = 200

type AskedTopic = LiveQueryRequest | ChannelRequest | SessionRequest | FollowedDocument

interface ActiveSubscription {
  readonly topic: SubscribedTopic
  readonly stopListening: () => void
}

/**
 * The topics and their subscribers. A topic without subscribers is kept until `prune` is called, because a new
 * subscriber may need it soon.
 */
export class Subscriptions {
  /** All subscriptions of the client. This class removes a subscription from the set when the subscription ends. */
  readonly #all: Set<Subscription>
  readonly #language: string | undefined
  readonly #active = new Map<Subscription, ActiveSubscription>()
  readonly #byKey = new Map<string, SubscribedTopic>()
  readonly #byId = new Map<string, SubscribedTopic>()
  #usedIds: Set<string> = new Set([EVERY_TOPIC])
  #lastNumber = 0

  constructor(all: Set<Subscription>, language: string | undefined) {
    this.#all = all
    this.#language = language
  }

  get isEmpty(): boolean {
    return this.#active.size === 0
  }

  /** Adds a subscription to its topic. `onAbort` is called when the subscription's signal aborts. */
  add(subscription: Subscription, onAbort: () => void): void {
    const { signal, document } = subscription
    const asked = document ?? parseTopic(subscription, this.#language)
    signal?.addEventListener("abort", onAbort)
    const topic = this.#topicOf(asked)
    subscription.topic = topic.key
    this.#active.set(subscription, { topic, stopListening: () => signal?.removeEventListener("abort", onAbort) })
    if ("isPresence" in asked && asked.isPresence && topic instanceof ChannelTopic) topic.addPresence(subscription)
    else topic.add(subscription)
  }

  /** Ends a subscription. Returns true if the subscription had been added to a topic. */
  remove(subscription: Subscription): boolean {
    const following = this.#active.get(subscription)
    this.#all.delete(subscription)
    this.#active.delete(subscription)
    following?.topic.remove(subscription)
    following?.stopListening()
    callSafely(subscription.onEnd)
    return following !== undefined
  }

  /** Reports the error to a subscription whose topic is not valid, and ends the subscription. */
  reject(subscription: Subscription, error: Error): void {
    callSafely(subscription.onError, error, true)
    this.remove(subscription)
  }

  removeAll(): void {
    for (const subscription of [...this.#active.keys()]) this.remove(subscription)
  }

  /** Removes the topics without subscribers, and returns the remaining topics. */
  prune(): SubscribedTopic[] {
    for (const topic of this.#byId.values()) if (!topic.hasSubscribers) this.#forget(topic)
    return [...this.#byId.values()]
  }

  /** Returns the live queries among the topics. */
  queries(): LiveTopic[] {
    return [...this.#byId.values()].filter((topic) => topic instanceof LiveTopic)
  }

  /** Returns the collaborative documents among the topics. */
  documents(): DocumentTopic[] {
    return [...this.#byId.values()].filter((topic) => topic instanceof DocumentTopic)
  }

  /** True if the session of the client itself is followed. */
  get followsSession(): boolean {
    return [...this.#byId.values()].some((topic) => topic instanceof SessionTopic && topic.hasSubscribers)
  }

  /** Forgets the results of all live queries and the members of all rooms, which another user has read. */
  forgetResults(): void {
    for (const topic of [...this.#byId.values()])
      if (topic instanceof LiveTopic || topic instanceof ChannelTopic) topic.forgetResults()
  }

  byId(id: string): SubscribedTopic | undefined {
    return this.#byId.get(id)
  }

  queryOf(id: string): LiveTopic | undefined {
    const topic = this.#byId.get(id)
    return topic instanceof LiveTopic ? topic : undefined
  }

  documentOf(id: string): DocumentTopic | undefined {
    const topic = this.#byId.get(id)
    return topic instanceof DocumentTopic ? topic : undefined
  }

  channelOf(id: string): ChannelTopic | undefined {
    const topic = this.#byId.get(id)
    return topic instanceof ChannelTopic ? topic : undefined
  }

  /** Ends a topic and its subscriptions with an error. A later subscription to an equal topic starts a new topic. */
  end(topic: SubscribedTopic, error: Error): void {
    this.#forget(topic)
    topic.fail(error, true)
    for (const subscription of topic) this.remove(subscription)
  }

  /**
   * Reports an error to all subscribers. A final error ends the subscriptions of iterators. Subscriptions with
   * callbacks stay, and wait for later events.
   */
  fail(error: Error, isFinal: boolean): void {
    for (const topic of [...this.#byId.values()]) topic.fail(error, isFinal)
    const ended = isFinal ? [...this.#active.keys()].filter(({ onEnd }) => onEnd) : []
    for (const subscription of ended) this.remove(subscription)
  }

  /**
   * Called when a new stream is opened. A new stream has no topic ids yet, so the ids of ended topics can be used
   * again.
   */
  resetUsedIds(): void {
    this.#usedIds = new Set([EVERY_TOPIC, ...this.#byId.keys()])
  }

  #topicOf(asked: AskedTopic): SubscribedTopic {
    const topic = ("key" in asked && this.#byKey.get(asked.key)) || this.#newTopic(asked)
    this.#byKey.set(topic.key, topic)
    this.#byId.set(topic.id, topic)
    return topic
  }

  #newTopic(asked: AskedTopic): SubscribedTopic {
    if ("isSession" in asked) return new SessionTopic(this.#newId(), asked.key)
    if ("channel" in asked) return new ChannelTopic(this.#newId(), asked)
    if ("config" in asked) return new LiveTopic(this.#newId(asked.customId), asked.key, asked.config)
    return new DocumentTopic(this.#newId(), asked)
  }

  // Returns a topic id that is not used on the stream. If two topics had the same id, the server would treat the second
  // topic as the first.
  #newId(customId = ""): string {
    let id = customId
    while (id === "" || id.length > MAX_ID_CHARACTERS || this.#usedIds.has(id)) {
      id = `${customId.slice(0, MAX_ID_CHARACTERS / 2)}#${++this.#lastNumber}`
    }
    this.#usedIds.add(id)
    return id
  }

  #forget(topic: SubscribedTopic): void {
    this.#byId.delete(topic.id)
    if (this.#byKey.get(topic.key) === topic) this.#byKey.delete(topic.key)
  }
}
