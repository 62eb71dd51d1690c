import type { LiveEvents } from "../../wire/realtime/live-events.ts"
import type { WireDocument } from "../../wire/realtime/topic.ts"

/** A collaborative document, as its topic on the stream uses it. */
export interface FollowedDocument {
  /** Returns the document as it is sent to the server. Called for each request, because it contains the current state. */
  wire(): Omit<WireDocument, "id">
  /**
   * Called with each event of the document under the event's name, and with the `session` event of each stream before
   * that stream serves the document.
   */
  onEvent(event: Partial<LiveEvents>): void
  /** Called when the stream has ended. The client opens another one if it can. */
  onLost(): void
}

/** One subscriber of a live query or a channel, or a collaborative document. */
export interface Subscription {
  /**
   * The topic as a JSON string, fixed when the subscription starts. Subscriptions with equal strings share one topic on
   * the stream.
   */
  topic: string
  readonly signal?: AbortSignal | undefined
  /** Set if the topic is a collaborative document. Such a topic has no other subscribers. */
  readonly document?: FollowedDocument | undefined
  /** Called with each snapshot of a live query and its hash, or with each event of a channel. */
  readonly onSnapshot?: ((snapshot: unknown, hash?: string) => void) | undefined
  /** A result that the subscriber already has, with its hash. The server does not send an equal result again. */
  readonly known?: { readonly data: unknown; readonly hash: string } | undefined
  /**
   * Called when the server has confirmed on a new stream that the newest snapshot, or the `known` result, is current, or
   * that the events of a channel arrive.
   */
  readonly onCurrent?: (() => void) | undefined
  /** Called when the stream has ended. The client opens another one if it can. */
  readonly onLost?: (() => void) | undefined
  /**
   * Called before the topic of a live query is requested from the server, once for each stream. The first result on that
   * stream shows everything that was committed before.
   */
  readonly onRequest?: (() => void) | undefined
  /** Called when every topic of the stream shows these own writes. See `LiveEvents["applied"]`. */
  readonly onApplied?: ((writes: readonly string[]) => void) | undefined
  /** Called when events of a channel were lost and cannot be sent again. */
  readonly onGap?: (() => void) | undefined
  /** The id of a channel event. Delivery starts with the event after it. */
  readonly lastEventId?: string | undefined
  /** Called with each error. If `isFinal` is true, the client does not retry, so nothing more arrives. */
  readonly onError?: ((error: Error, isFinal?: boolean) => void) | undefined
  /** Called when the subscription ends, for any reason. */
  readonly onEnd?: () => void
}

/**
 * A function that adds a subscription and returns another function that ends it. The code that calls it gets it as an
 * argument instead of importing it: a bundler may put code that two modules import into a third module, which a page
 * would have to load too.
 */
export type Subscribe = (subscription: Subscription) => () => void
