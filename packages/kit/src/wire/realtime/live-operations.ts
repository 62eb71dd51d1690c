import type { TopicConfig } from "./topic.ts"

/** The settings of a live query whose snapshots are read through an iterator. */
export interface IterationSettings {
  readonly signal?: AbortSignal | undefined
}

/** The settings of a live query whose snapshots are passed to a callback. */
export interface LiveSettings extends IterationSettings {
  /** Called when the topic has ended with an error, and each time the stream could not be opened. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** An iterator over the snapshots of a live query. Between two iterations, only the newest snapshot is kept. */
export type Snapshots<Snapshot> = AsyncGenerator<Snapshot, void, undefined>

type OnSnapshot<Snapshot> = (snapshot: Snapshot) => void

export type SubscribeArguments<Snapshot = unknown> = [
  topic: TopicConfig,
  onSnapshot: OnSnapshot<Snapshot>,
  signal?: AbortSignal | undefined,
  customId?: string | undefined,
  onError?: LiveSettings["onError"],
]

export type StreamArguments = [topic: TopicConfig, signal?: AbortSignal | undefined, customId?: string | undefined]

/** The low-level API for live queries. One stream carries all live queries of a client. */
export interface RealtimeApi {
  /**
   * Calls `onSnapshot` with each snapshot of the topic; returns a function that unsubscribes. Subscriptions with equal
   * topics share one topic on the stream, unless their custom ids differ.
   */
  subscribe<Snapshot = unknown>(...args: SubscribeArguments<Snapshot>): () => void
  stream<Snapshot = unknown>(...args: StreamArguments): Snapshots<Snapshot>
  /** Ends all subscriptions and closes the stream. The next subscription opens a new stream. */
  destroy(): void
  /** The number of different topics that the client has subscribed to. */
  readonly topicCount: number
  readonly subscriberCount: number
}
