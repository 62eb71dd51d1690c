/** Somebody who follows a topic. */
export interface Subscription {
  /** The topic as JSON, fixed when it was subscribed to. Those with the same text share one topic of the stream. */
  topic: string
  readonly signal?: AbortSignal | undefined
  readonly onSnapshot: (snapshot: unknown) => void
  /** An error is final when nothing more will come by itself. */
  readonly onError?: ((error: Error, isFinal?: boolean) => void) | undefined
  /** Called when it is over, whoever ended it. */
  readonly onEnd?: () => void
}

/** What a stream takes of the client. It is given, not imported: sharing it would make one more module to load. */
export type Follow = (subscription: Subscription) => () => void
