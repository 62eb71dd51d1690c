/** One subscriber of a live query or a channel. */
export interface Subscription {
  /** The topic as JSON, fixed at the start. Subscriptions with the same text share one topic on the stream. */
  topic: string
  readonly signal?: AbortSignal | undefined
  /** Called with each snapshot of a live query, or each event of a channel. */
  readonly onSnapshot?: ((snapshot: unknown) => void) | undefined
  /** Called when events of a channel were lost for good. */
  readonly onGap?: (() => void) | undefined
  /** A channel starts after this event. */
  readonly lastEventId?: string | undefined
  /** A final error means that nothing more will arrive. */
  readonly onError?: ((error: Error, isFinal?: boolean) => void) | undefined
  /** Called at the end, for any reason. */
  readonly onEnd?: () => void
}

/** Adds a subscription; the result ends it. Passed in, not imported: a shared module would be one more to load. */
export type Subscribe = (subscription: Subscription) => () => void
