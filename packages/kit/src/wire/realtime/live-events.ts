/** The events that the server sends on a stream of live queries: the name of each event, and its data. */
export interface LiveEvents {
  /** The first event. A client presents both values to change the topics of this stream. */
  session: { readonly sessionId: string; readonly token: string }
  /** The whole result of a topic as it is now; `seq` rises with each event of the topic. */
  snapshot: { readonly topicId: string; readonly seq: number; readonly hash: string; readonly data: unknown }
  /** The snapshot that the client already has of this topic is current. */
  current: { readonly topicId: string; readonly seq: number }
  /** The channel is subscribed. Its events come after this event id, which is 0 if there was none. */
  subscribed: { readonly channelId: string; readonly eventId: string }
  /** An event that was published in a channel; ids rise. */
  channel: { readonly channelId: string; readonly event: string; readonly eventId: string; readonly data: unknown }
  /** Some events after the last one that the client received have been deleted. Delivery continues after this event. */
  gap: { readonly channelId: string; readonly eventId: string }
  /** All members of a room, if its channel has presence. */
  presence: {
    readonly channelId: string
    readonly members: readonly { readonly id: string; readonly data: unknown }[]
  }
  /** The topic has ended; `*` means that the whole stream has ended. */
  error: { readonly topicId: string; readonly code: string; readonly message: string }
  /** A keep-alive. */
  ping: { readonly ts: number }
  /** The server is about to stop: reconnect after this time. */
  bye: { readonly retryMs: number }
}

/** Stands for all topics of a stream. */
export const EVERY_TOPIC = "*"

/** The interval of the keep-alive events of a stream. */
export const PING_INTERVAL_MS = 8_000
