import type { TopicConfig } from "./topic.ts"

/** What ends a live query. */
export interface IterationSettings {
  readonly signal?: AbortSignal | undefined
}

/** What a live query takes besides its options. */
export interface LiveSettings extends IterationSettings {
  /** Called when the topic has ended, and each time that no stream could be opened. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** Snapshots one after the other; of those that arrive while nobody asks, only the newest one. */
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
  /** Follows a topic; answers what ends it. Those with the same topic, and the same id if they give one, share it. */
  subscribe<Snapshot = unknown>(...args: SubscribeArguments<Snapshot>): () => void
  stream<Snapshot = unknown>(...args: StreamArguments): Snapshots<Snapshot>
  /** Ends all subscriptions and closes the stream; the next subscription opens another one. */
  destroy(): void
  /** Different topics that are followed. */
  readonly topicCount: number
  readonly subscriberCount: number
}
