import type { TopicConfig } from "./topic.ts"

/** The settings of a live query that is iterated over. */
export interface IterationSettings {
  readonly signal?: AbortSignal | undefined
}

/** The settings of a live query. */
export interface LiveSettings extends IterationSettings {
  /** Called when the topic has ended, and each time a stream could not be opened. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** Snapshots one after the other. Between two iterations, only the newest snapshot is kept. */
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

/** The live queries of a client by their topics; one stream carries them all. */
export interface RealtimeApi {
  /**
   * Follows a topic; returns a function that unsubscribes. Subscriptions with the same topic, and the same id if they
   * have one, share it.
   */
  subscribe<Snapshot = unknown>(...args: SubscribeArguments<Snapshot>): () => void
  stream<Snapshot = unknown>(...args: StreamArguments): Snapshots<Snapshot>
  /** Ends all subscriptions and closes the stream; the next subscription opens another one. */
  destroy(): void
  /** The number of different topics that are followed. */
  readonly topicCount: number
  readonly subscriberCount: number
}
