/** One subscriber of a live query or a channel. */
export interface Subscription {
  /**
   * The topic as a JSON string, fixed when the subscription starts. Subscriptions with equal strings share one topic on
   * the stream.
   */
  topic: string
  readonly signal?: AbortSignal | undefined
  /** Called with each snapshot of a live query, or each event of a channel. */
  readonly onSnapshot?: ((snapshot: unknown) => void) | undefined
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
