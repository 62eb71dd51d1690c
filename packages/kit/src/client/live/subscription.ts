/** Somebody who follows a topic or a channel. */
export interface Subscription {
  /** The topic as JSON, fixed when it was subscribed to. Those with the same text share one topic of the stream. */
  topic: string
  readonly signal?: AbortSignal | undefined
  /** Called with each snapshot of a topic, or each event of a channel. */
  readonly onSnapshot?: ((snapshot: unknown) => void) | undefined
  /** Events of a channel were missed for good. */
  readonly onGap?: (() => void) | undefined
  /** A channel begins after this event. */
  readonly lastEventId?: string | undefined
  /** An error is final when nothing more will come by itself. */
  readonly onError?: ((error: Error, isFinal?: boolean) => void) | undefined
  /** Called when it is over, whoever ended it. */
  readonly onEnd?: () => void
}

/** What a stream takes of the client. It is given, not imported: sharing it would make one more module to load. */
export type Follow = (subscription: Subscription) => () => void
